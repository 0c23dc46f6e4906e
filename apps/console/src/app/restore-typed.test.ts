import { expect, test } from 'vitest';
import { restoreTyped } from './restore-typed.ts';

test('typed text goes into the one field of its name, and into none where several have it', async () => {
  const place = document.createElement('div');
  place.innerHTML =
    '<label>Name<input></label><input aria-label="Value"><input aria-label="Value"><label>Secret<input type="password"></label>';
  document.body.append(place);
  void restoreTyped(new Map(['Name', 'Value', 'Secret'].map((name) => [name, `typed ${name}`])), () => true);
  await expect.poll(() => [...place.querySelectorAll('input')].map(({ value }) => value)).toEqual(['typed Name', '', '', '']);
  place.remove();
});
