import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { Input } from './Input.tsx';

test('a field ties its label, hint and error to its control', async () => {
  await render(
    <Field label="Name" hint="Lowercase" error="Cannot be empty" required>
      <Input />
    </Field>,
  );
  const input = page.getByLabelText('Name');
  await expect.element(input).toBeRequired();
  await expect.element(input).toBeInvalid();
  await expect.element(input).toHaveAccessibleDescription('Lowercase Cannot be empty');
});

test('a busy submit button keeps the focus and sends nothing twice', async () => {
  const submit = vi.fn();
  await render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Button type="submit" busy>
        Saving
      </Button>
    </form>,
  );
  const button = page.getByRole('button', { name: 'Saving' });
  (button.element() as HTMLButtonElement).focus();
  (button.element() as HTMLButtonElement).click();
  expect(submit).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();
});
