import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="New project">
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

test('Escape closes a dialog and gives the focus back to what opened it', async () => {
  await render(<Opener />);
  const opener = page.getByRole('button', { name: 'Open' });
  await opener.click();
  await expect.element(page.getByRole('dialog', { name: 'New project' })).toBeVisible();
  expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('what loses data is confirmed only after its name was typed', async () => {
  const confirm = vi.fn();
  await render(
    <ConfirmDialog
      open
      onClose={() => undefined}
      onConfirm={confirm}
      title="Delete?"
      confirmLabel="Delete project"
      danger
      typedName="invoice-triage"
    >
      It goes.
    </ConfirmDialog>,
  );
  const button = page.getByRole('button', { name: 'Delete project' });
  await expect.element(button).toBeDisabled();
  await page.getByLabelText('Type invoice-triage to confirm').fill('invoice-triage');
  await button.click();
  expect(confirm).toHaveBeenCalledOnce();
});
