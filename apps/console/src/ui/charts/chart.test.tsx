import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Chart } from './Chart.tsx';
import type { ChartMarker, ChartPoint, ChartSeries, ChartZoom } from './chart-shape.ts';

const pointsOf = (values: (number | null)[]): ChartPoint[] => values.map((value, index) => ({ at: index * 60_000, value }));
const points = pointsOf(Array.from({ length: 60 }, (_, index) => (index === 58 ? null : index)));
const connections: ChartSeries[] = [{ label: 'Connections', points }];

type Deps = Partial<Pick<Parameters<typeof Chart>[0], 'series' | 'kind' | 'toneOf' | 'csvName' | 'isPast'>> & {
  markers?: ChartMarker[];
  count?: number;
};

/** A chart, or several that share cross-hair and zoom. */
function Charts({ series = connections, count = 1, ...rest }: Deps) {
  const [cursor, setCursor] = useState<number | null>(null);
  const [zoom, setZoom] = useState<ChartZoom | null>(null);
  return ['Connections', 'Sizes']
    .slice(0, count)
    .map((label) => (
      <Chart
        key={label}
        label={label}
        series={series}
        scale="count"
        format={(value) => `${value} c`}
        formatTime={(at) => `minute ${at / 60_000}`}
        cursor={cursor}
        onCursor={setCursor}
        zoom={zoom}
        onZoom={setZoom}
        {...rest}
      />
    ));
}

const slider = page.getByRole('slider', { name: 'Connections over time' });
const said = (text: string) => expect.element(slider).toHaveAttribute('aria-valuetext', text);

/** The colour of a canvas at a position given as shares of its width and height. */
function colourAt(x: number, y: number): number[] {
  const canvas = document.querySelector('canvas');
  const at = [Math.round((canvas?.width ?? 0) * x), Math.round((canvas?.height ?? 0) * y)] as const;
  return [...(canvas?.getContext('2d')?.getImageData(...at, 1, 1).data ?? [])];
}
const isPainted = (x: number, y: number) => (colourAt(x, y)[3] ?? 0) > 0;

afterEach(() => {
  delete document.documentElement.dataset.theme;
  vi.restoreAllMocks();
});

test('arrow keys go from point to point and say each, also where nothing was measured; leaving shows the newest again', async () => {
  await render(<Charts />);
  await expect.element(page.getByText(/now, 0 c to 59 c$/)).toBeVisible();
  await userEvent.tab();
  await expect.element(slider).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await said('Not measured, minute 58');
  await userEvent.keyboard('{PageDown}{ArrowRight}');
  await said('49 c, minute 49');
  await userEvent.keyboard('{Home}{ArrowLeft}');
  await expect.element(slider).toHaveAttribute('aria-valuenow', '0');
  await userEvent.tab();
  await expect.element(page.getByText(/now, 0 c to 59 c$/)).toBeVisible();
});

const chartOf = async (props: Deps) => {
  const { unmount } = await render(<Charts {...props} />);
  const text = document.querySelector('figcaption span')?.textContent;
  const legend = [...document.querySelectorAll('figure li')].map((item) => item.textContent);
  await unmount();
  return { text, legend };
};
const one = (...values: (number | null)[]) => [{ label: 'Connections', points: pointsOf(values) }];

test('a value is the one of now only in the newest point or the one before; an older one stands with its time', async () => {
  expect((await chartOf({ series: one(4, 2, 7) })).text).toBe('7 c now, 2 c to 7 c');
  expect((await chartOf({ series: one(4, 2, 7, null) })).text).toBe('7 c now, 2 c to 7 c');
  expect((await chartOf({ series: one(4, 2, 7, null, null) })).text).toBe('7 c at minute 2, 2 c to 7 c');
  expect((await chartOf({ series: one(4, 2, 7), isPast: true })).text, 'a month that is over').toBe('7 c at minute 2, 2 c to 7 c');
});

test('several series tell their values at one time, which is named when it is not now', async () => {
  const two = (a: (number | null)[], b: (number | null)[]) => [
    { label: 'p50', points: pointsOf(a) },
    { label: 'p95', points: pointsOf(b) },
  ];
  expect(await chartOf({ series: two([1, 2], [8, 9]) })).toEqual({ text: '1 c to 9 c', legend: ['p502 c', 'p959 c'] });
  expect(await chartOf({ series: two([1, 2, null, null], [8, 9, null, null]) })).toEqual({
    text: 'at minute 1, 1 c to 9 c',
    legend: ['p502 c', 'p959 c'],
  });
  expect((await chartOf({ series: two([1, null, null], [8, 9, 7]) })).legend, 'one ended earlier').toEqual(['p50–Not measured', 'p957 c']);
});

test('every value is in the table, newest first, a page at a time', async () => {
  await render(<Charts />);
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
  await render(<Charts series={[{ label: 'Connections', points: points.map(({ at }) => ({ at, value: null })) }]} />);
  await expect.element(page.getByText('Not measured in this period')).toBeVisible();
  expect(page.getByRole('slider').query()).toBeNull();
});

test('several series are each told by their label, in the legend, by the cross-hair and in the table', async () => {
  const series = [
    { label: 'p50', points: pointsOf([1, 2, 3]) },
    { label: 'p95', points: pointsOf([10, 30, null]) },
  ];
  await render(<Charts series={series} />);
  await expect.element(page.getByText('1 c to 30 c')).toBeVisible();
  await expect.element(page.getByRole('listitem').nth(1)).toHaveTextContent('p9530 c');
  await userEvent.tab();
  await userEvent.keyboard('{ArrowLeft}');
  await said('p50 2 c, p95 30 c, minute 1');
  await expect.element(page.getByRole('listitem').first()).toHaveTextContent('p502 c');
  await userEvent.keyboard('{ArrowRight}');
  await said('p50 3 c, p95 Not measured, minute 2');
  await expect.element(page.getByRole('listitem').nth(1)).toHaveTextContent('p95–Not measured');
  await page.getByText('View as table', { exact: false }).click();
  const rows = page.getByRole('table', { name: 'Connections' }).getByRole('row');
  await expect.element(rows.first()).toHaveTextContent('Timep50p95');
  await expect.element(rows.nth(1)).toHaveTextContent('minute 23 c–Not measured');
});

test('a line has gaps where nothing was measured, and a value between two gaps is a dot', async () => {
  await render(<Charts series={[{ label: 'Connections', points: pointsOf([5, 5, null, 5, null, 5, 5]) }]} />);
  // The top is 5, so the line runs along the upper edge of the plot, 4 px below the edge of the canvas.
  const y = 4 / 136;
  await vi.waitFor(() => expect(isPainted(1 / 7, y)).toBe(true));
  expect(isPainted(0.5, y), 'the lone value').toBe(true);
  expect(isPainted(3 / 7, y), 'the gap before').toBe(false);
  expect(isPainted(4 / 7, y), 'the gap behind').toBe(false);
  expect(isPainted(6 / 7, y)).toBe(true);
});

test('a drag over the plot zooms all charts that share the zoom, and one press shows the whole time again', async () => {
  await render(<Charts count={2} />);
  const box = slider.element().getBoundingClientRect();
  const press = (type: string, share: number) =>
    slider.element().dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        pointerId: 1,
        button: 0,
        pointerType: 'mouse',
        clientX: box.left + box.width * share,
        clientY: box.top + 20,
      }),
    );
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => undefined);
  press('pointerdown', 10.5 / 60);
  press('pointermove', 15.5 / 60);
  await expect.element(slider).toHaveAttribute('aria-valuetext', '15 c, minute 15, selected minute 10 to minute 15');
  press('pointerup', 20.5 / 60);
  for (const name of ['Connections over time', 'Sizes over time']) {
    await expect.element(page.getByRole('slider', { name })).toHaveAttribute('aria-valuemin', '10');
    await expect.element(page.getByRole('slider', { name })).toHaveAttribute('aria-valuemax', '20');
  }
  await page.getByRole('button', { name: 'Reset zoom: Connections' }).click();
  await expect.element(page.getByRole('slider', { name: 'Sizes over time' })).toHaveAttribute('aria-valuemax', '59');
  await expect.element(slider).toHaveFocus();
  expect(page.getByRole('button', { name: 'Reset zoom' }).query()).toBeNull();
});

test('Shift with arrow keys selects, Enter zooms, and Escape shows the whole time again before it means anything else', async () => {
  const escapes = vi.fn();
  document.addEventListener('keydown', escapes);
  await render(<Charts />);
  await userEvent.tab();
  await userEvent.keyboard('{Home}{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}');
  await said('4 c, minute 4, selected minute 1 to minute 4');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Shows minute 1 to minute 4')).toBeInTheDocument();
  await userEvent.keyboard('{End}{ArrowRight}');
  await said('4 c, minute 4');
  await userEvent.keyboard('{Home}');
  await said('1 c, minute 1');
  escapes.mockClear();
  await userEvent.keyboard('{Escape}');
  await expect.element(slider).toHaveAttribute('aria-valuemax', '59');
  expect(escapes, 'the first Escape was for the zoom').not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(escapes, 'the second is for the page').toHaveBeenCalled();
  document.removeEventListener('keydown', escapes);
});

test('a finger zooms by a press, to the half around the point that was looked at', async () => {
  await render(<Charts />);
  await userEvent.tab();
  await userEvent.keyboard('{Home}{PageUp}{PageUp}');
  await page.getByRole('button', { name: 'Zoom in: Connections' }).click();
  await expect.element(slider).toHaveAttribute('aria-valuemin', '6');
  await expect.element(slider).toHaveAttribute('aria-valuemax', '35');
  expect(getComputedStyle(slider.element()).touchAction, 'a finger can still scroll the page').toBe('pan-y');
});

test('what happened is in the description, at its point, and shown when the cross-hair comes near', async () => {
  await render(<Charts markers={[{ at: 30 * 60_000, label: 'Deployed v2' }]} />);
  await expect.element(slider).toHaveAccessibleDescription(/Marked: Deployed v2, minute 30\.$/);
  expect(page.getByText('Deployed v2', { exact: true }).query()).toBeNull();
  await userEvent.tab();
  await userEvent.keyboard('{Home}{PageUp}{PageUp}{PageUp}');
  await said('30 c, minute 30, Deployed v2');
  await expect.element(page.getByText('Deployed v2', { exact: true })).toBeVisible();
});

test('the values are saved under the name given, as they are', async () => {
  const saved: string[] = [];
  const made = vi.spyOn(URL, 'createObjectURL');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function press(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await render(<Charts csvName="connections-24h" />);
  await page.getByRole('button', { name: 'Download CSV: Connections' }).click();
  expect(saved).toEqual(['connections-24h.csv']);
  const file = made.mock.calls[0]?.[0];
  const lines = file instanceof Blob ? (await file.text()).split('\r\n') : [];
  expect(lines.slice(0, 3)).toEqual(['Time,Connections', '1970-01-01T00:00:00.000Z,0', '1970-01-01T00:01:00.000Z,1']);
  expect(lines[59]).toBe('1970-01-01T00:58:00.000Z,');
});

test('each bar has the colour of its value, and a small one is still seen', async () => {
  const series = [{ label: 'Errors', points: pointsOf([0.04, 0.4, 100, 0]) }];
  await render(<Charts series={series} kind="bars" toneOf={(value) => (value > 0.05 ? 'bad' : 'warn')} />);
  const y = 131 / 136;
  await vi.waitFor(() => expect(isPainted(0.625, y)).toBe(true));
  expect(colourAt(0.13, y)).not.toEqual(colourAt(0.625, y));
  expect(colourAt(0.38, y)).toEqual(colourAt(0.625, y));
  expect(isPainted(0.87, y), 'nothing happened').toBe(false);
});

test('another theme paints the line anew in its colours', async () => {
  document.documentElement.dataset.theme = 'light';
  await render(<Charts series={[{ label: 'Connections', points: pointsOf([5, 5, 5]) }]} />);
  await vi.waitFor(() => expect(isPainted(0.5, 4 / 136)).toBe(true));
  const light = colourAt(0.5, 4 / 136);
  document.documentElement.dataset.theme = 'dark';
  await vi.waitFor(() => expect(colourAt(0.5, 4 / 136)).not.toEqual(light));
  expect(isPainted(0.5, 4 / 136)).toBe(true);
});

test('the drawing is as wide as its chart, also after the window has changed', async () => {
  const fits = () =>
    expect(Math.round(document.querySelector('canvas')?.getBoundingClientRect().width ?? 0)).toBe(slider.element().clientWidth + 8);
  await render(<Charts />);
  await vi.waitFor(fits);
  await page.viewport(400, 900);
  expect(slider.element().clientWidth).toBeLessThanOrEqual(400);
  await vi.waitFor(fits);
  await page.viewport(1320, 900);
});
