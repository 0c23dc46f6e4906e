import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ChartPoint } from './chart-shape.ts';
import { LineChart } from './LineChart.tsx';

const points: ChartPoint[] = Array.from({ length: 60 }, (_, index) => ({ at: index, value: index === 58 ? null : index }));

function Chart({ of }: { of: readonly ChartPoint[] }) {
  const [cursor, setCursor] = useState<number | null>(null);
  return (
    <LineChart
      label="Connections"
      points={of}
      scale="count"
      format={(value) => `${value} c`}
      formatTime={(at) => `minute ${at}`}
      cursor={cursor}
      onCursor={setCursor}
    />
  );
}

test('arrow keys go from point to point and say each, also where nothing was measured; leaving shows the newest again', async () => {
  await render(<Chart of={points} />);
  const slider = page.getByRole('slider', { name: 'Connections over time' });
  await expect.element(page.getByText(/now, 0 c to 59 c$/)).toBeVisible();
  await userEvent.tab();
  await expect.element(slider).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'Not measured, minute 58');
  await userEvent.keyboard('{PageDown}{ArrowRight}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '49 c, minute 49');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  await expect.element(slider).toHaveAttribute('aria-valuenow', '0');
  await userEvent.tab();
  await expect.element(page.getByText(/now, 0 c to 59 c$/)).toBeVisible();
});

test('every value is in the table, newest first, a page at a time', async () => {
  await render(<Chart of={points} />);
  await page.getByText('View as table', { exact: false }).click();
  const rows = page.getByRole('table', { name: 'Connections' }).getByRole('row');
  await expect.element(rows.nth(1)).toHaveTextContent('minute 5959 c');
  await expect.element(rows.nth(2)).toHaveTextContent('minute 58Not measured');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.element(page.getByText('Page 3 of 3')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Older' })).toBeDisabled();
  expect(rows.elements()).toHaveLength(1 + 10);
});

test('without one value there is no chart, and it is said', async () => {
  await render(<Chart of={points.map(({ at }) => ({ at, value: null }))} />);
  await expect.element(page.getByText('Not measured in this time')).toBeVisible();
  expect(page.getByRole('slider').query()).toBeNull();
});
