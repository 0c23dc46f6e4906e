import { toast } from 'react-hot-toast/headless';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Toasts } from './Toasts.tsx';

afterEach(() => toast.removeAll());

test('messages appear in one live region that was there before them', async () => {
  await render(<Toasts />);
  const region = document.querySelector('[role="status"]');
  expect(region?.textContent).toBe('');
  toast.success('Copied to clipboard!');
  await expect.element(page.getByText('Copied to clipboard!')).toBeVisible();
  expect(document.querySelectorAll('[data-toasts] [role="status"]')).toHaveLength(1);
  expect(region?.textContent).toContain('Copied to clipboard!');
});

test('at most twenty are shown at once, the newest first', async () => {
  await render(<Toasts />);
  for (let i = 1; i <= 25; i++) toast(`Message ${i}.`);
  await expect.element(page.getByText('Message 25.')).toBeVisible();
  expect(page.getByText(/^Message/).elements()).toHaveLength(20);
});

test('a message can be dismissed before its time', async () => {
  await render(<Toasts />);
  toast.loading('Working', { removeDelay: 0 });
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByText('Working')).not.toBeInTheDocument();
});
