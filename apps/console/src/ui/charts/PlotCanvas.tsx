import { useEffect, useRef, useState } from 'react';
import type { Drawing, MountedPlot } from './plot.ts';

/** The canvas of a chart. Its code is loaded with the first chart; until then the space is empty. */
export function PlotCanvas({ drawing }: { drawing: Drawing }) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedPlot>(null);
  const newest = useRef(drawing);
  const [isFailed, setFailed] = useState(false);

  useEffect(() => {
    newest.current = drawing;
    mounted.current?.draw(drawing);
  }, [drawing]);

  useEffect(() => {
    let isOver = false;
    const mount = async () => {
      const { mountPlot } = await import('./plot.ts');
      if (!isOver && host.current) mounted.current = mountPlot(host.current, newest.current);
    };
    mount().catch((error: unknown) => {
      console.warn('The chart could not be drawn.', error);
      if (!isOver) setFailed(true);
    });
    return () => {
      isOver = true;
      mounted.current?.destroy();
      mounted.current = null;
    };
  }, []);

  return (
    <>
      {/* Wider than the plot by the gutter of plot.ts. */}
      <div ref={host} aria-hidden="true" className="chart-canvas pointer-events-none absolute -inset-1 overflow-hidden" />
      {isFailed ? (
        <p className="absolute inset-x-0 top-1/3 text-center text-sm text-muted">
          The chart could not be drawn. Its values are in the table.
        </p>
      ) : null}
    </>
  );
}
