import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../controls/Button.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { PageHeader } from './PageHeader.tsx';

const top = (name: string) => page.getByRole('button', { name }).element().getBoundingClientRect().top;

test('an outline holds its place before it is shown, so that nothing below it moves when it appears', async () => {
  await render(
    <>
      <Skeleton rows={4} />
      <button type="button">Below</button>
    </>,
  );
  const before = top('Below');
  expect(page.getByRole('status').element().getBoundingClientRect().height).toBeGreaterThan(4 * 40);
  await expect.poll(() => getComputedStyle(page.getByRole('status').element().firstElementChild!).visibility).toBe('visible');
  expect(top('Below')).toBe(before);
});

test('the count of a page moves nothing when it comes, on a phone neither', async () => {
  await page.viewport(360, 740);
  const header = (count: string | null) => <PageHeader title="Deployments" count={count} actions={<Button>Deploy agent</Button>} />;
  const shown = (count: string | null) => (
    <>
      {header(count)}
      <button type="button">Below</button>
    </>
  );
  const { rerender } = await render(shown(null));
  const before = [top('Deploy agent'), top('Below')];
  await rerender(shown('123 in 45 projects'));
  await expect.element(page.getByText('123 in 45 projects')).toBeVisible();
  expect([top('Deploy agent'), top('Below')]).toEqual(before);
});
