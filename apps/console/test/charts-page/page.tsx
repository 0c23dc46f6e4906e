import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import '../../src/ui/theme/styles.css';
import { Chart } from '../../src/ui/charts/Chart.tsx';

const charts = 4;
const points = 10_000;

declare global {
  interface Window {
    /** Shows the charts, and resolves with the milliseconds until all of them are drawn. */
    mountCharts: () => Promise<number>;
  }
}

/** A different curve each time, with gaps, so that no cached result is reused. */
const seriesOf = (seed: number) => [
  {
    label: 'Requests',
    points: Array.from({ length: points }, (_, n) => ({
      at: 1_700_000_000_000 + n * 60_000,
      value: n % 97 === 0 ? null : 100 + 50 * Math.sin((n + seed) / 80) + ((n * 7919 + seed) % 31),
    })),
  },
];
const format = (value: number) => value.toFixed(0);
const formatTime = (at: number) => new Date(at).toISOString().slice(11, 16);

function Page({ all }: { all: ReturnType<typeof seriesOf>[] }) {
  const [cursor, onCursor] = useState<number | null>(null);
  return all.map((series, n) => (
    <Chart key={String(n)} label={`Chart ${n}`} scale="count" {...{ series, format, formatTime, cursor, onCursor }} />
  ));
}

window.mountCharts = async () => {
  const root = createRoot(document.getElementById('root')!);
  const seed = Math.random() * 1000;
  const all = Array.from({ length: charts }, (_, n) => seriesOf(seed + n));
  const drawn = () => document.querySelectorAll('.uplot canvas').length === charts;
  const { promise, resolve } = Promise.withResolvers<number>();
  const begun = performance.now();
  const observer = new MutationObserver(() => {
    if (drawn()) resolve(performance.now() - begun);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  flushSync(() => root.render(<Page all={all} />));
  const took = await promise;
  observer.disconnect();
  // The next run starts on an empty page, after the browser has finished painting.
  await new Promise((done) => setTimeout(done, 50));
  root.unmount();
  return took;
};
document.title = 'ready';
