import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Menu } from './Menu.tsx';

test('a menu opens by keyboard, runs its item and gives the focus back', async () => {
  const stop = vi.fn();
  await render(
    <Menu
      label="Actions"
      groups={[
        [
          { label: 'Redeploy', onSelect: () => undefined },
          { label: 'Stop', onSelect: stop },
        ],
      ]}
    >
      …
    </Menu>,
  );
  const button = page.getByRole('button', { name: 'Actions' });
  (button.element() as HTMLButtonElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Redeploy' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(stop).toHaveBeenCalledOnce();
  await expect.element(button).toHaveFocus();
});
