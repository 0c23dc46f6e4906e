import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CommandMenu } from './CommandMenu.tsx';

test('typing narrows the commands and Enter runs the chosen one', async () => {
  const run = vi.fn();
  const close = vi.fn();
  const command = (label: string) => ({ id: label, label, group: 'Go to', run: () => run(label) });
  await render(<CommandMenu open onClose={close} commands={['Dashboard', 'Projects', 'Deployments'].map(command)} />);
  await page.getByRole('combobox').fill('go d');
  await expect.element(page.getByRole('option', { name: 'Go to Dashboard' })).toHaveAttribute('aria-selected', 'true');
  expect(page.getByRole('option').elements()).toHaveLength(2);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(close).toHaveBeenCalledOnce();
  expect(run).toHaveBeenCalledExactlyOnceWith('Deployments');
});

test('no match is said, not shown as an empty list', async () => {
  await render(<CommandMenu open onClose={() => undefined} commands={[]} />);
  await expect.element(page.getByText('Nothing matches.')).toBeVisible();
});
