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

test('who moves in a menu before it has faded in stays on that item', async () => {
  const remove = vi.fn();
  const items = ['Redeploy', 'Stop', 'Remove'].map((label) => ({ label, onSelect: label === 'Remove' ? remove : () => undefined }));
  const slow = document.createElement('style');
  slow.textContent = '[role="menu"] { transition-duration: 600ms !important; }';
  document.head.append(slow);
  await render(
    <Menu label="Actions" groups={[items]}>
      …
    </Menu>,
  );
  (page.getByRole('button', { name: 'Actions' }).element() as HTMLButtonElement).focus();
  await userEvent.keyboard('{ArrowDown}');
  const last = page.getByRole('menuitem', { name: 'Remove' });
  await expect.poll(() => last.query()).not.toBeNull();
  (last.element() as HTMLElement).focus();
  await Promise.all((last.element().closest('[role="menu"]')?.getAnimations() ?? []).map((animation) => animation.finished));
  await new Promise((resolve) => setTimeout(resolve, 50));
  slow.remove();
  await expect.element(last).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(remove).toHaveBeenCalledOnce();
});
