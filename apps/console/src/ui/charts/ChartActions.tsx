import { type ComponentProps, useId, useState } from 'react';
import { saveFile } from '../controls/save-file.ts';
import { ChartTable } from './ChartTable.tsx';
import { chartCsv } from './chart-csv.ts';
import type { Zooming } from './use-zoom.ts';

type Props = ComponentProps<typeof ChartTable> & {
  csvName: string | undefined;
  zooming: Zooming;
  /** Called after a reset, which removes the button: the chart takes the focus. */
  onReset: () => void;
};

/** Actions on a chart that need no dragging: its values as a table or a file, and the zoom. */
export function ChartActions({ csvName, zooming, onReset, ...table }: Props) {
  const { label, series, view } = table;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="mt-0.5 flex flex-wrap gap-x-4 text-sm">
        <Action text="View as table" label={label} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)} />
        {csvName === undefined ? null : (
          <Action
            text="Download CSV"
            label={label}
            onClick={() => saveFile(chartCsv(series, view), { name: `${csvName}.csv`, type: 'text/csv;charset=utf-8' })}
          />
        )}
        {zooming.isOffered && zooming.canZoomIn ? <Action text="Zoom in" label={label} onClick={zooming.zoomIn} /> : null}
        {zooming.isZoomed ? (
          <Action
            text="Reset zoom"
            label={label}
            onClick={() => {
              zooming.reset();
              onReset();
            }}
          />
        ) : null}
        <span role="status" className="sr-only">
          {zooming.told}
        </span>
      </div>
      <div id={id}>{isOpen ? <ChartTable {...table} /> : null}</div>
    </>
  );
}

/** An unobtrusive text button: a page has many charts, whose lines matter more. */
function Action({
  label,
  text,
  ...rest
}: Pick<ComponentProps<'button'>, 'onClick' | 'aria-expanded' | 'aria-controls'> & { label: string; text: string }) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={`${text}: ${label}`}
      className="min-h-6 rounded-control text-muted underline decoration-border-strong underline-offset-3 hover:text-text aria-expanded:text-text pointer-coarse:min-h-11"
    >
      {text}
    </button>
  );
}
