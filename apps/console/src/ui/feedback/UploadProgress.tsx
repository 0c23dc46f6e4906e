import { Button } from '../controls/Button.tsx';

type Props = {
  /** The name of the uploaded file. */
  label: string;
  /** The current phase: 'Uploading', 'Checking', 'Queued'. */
  phase: string;
  /** From 0 to 1; undefined while unknown. */
  done: number | undefined;
  onCancel?: (() => void) | undefined;
};

/** The progress of an upload, along a ruler. */
export function UploadProgress({ label, phase, done, onCancel }: Props) {
  const percent = done === undefined ? undefined : Math.round(Math.min(1, Math.max(0, done)) * 100);
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 grow">
        <div className="mb-1 flex justify-between gap-3 text-sm">
          <span className="truncate font-semibold">{label}</span>
          <span role="status" className="shrink-0 text-muted">
            {phase}
          </span>
        </div>
        <div
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={percent === undefined ? phase : `${phase}, ${percent} %`}
        >
          <div className="h-1.5 overflow-hidden bg-neutral-bg text-accent forced-colors:outline">
            {percent === undefined ? (
              <div className="hatch hatch-moving h-full" />
            ) : (
              <div className="h-full bg-accent transition-[width] forced-colors:bg-[CanvasText]" style={{ width: `${percent}%` }} />
            )}
          </div>
          <div className="ruler" />
        </div>
      </div>
      <span className="w-11 shrink-0 text-right font-mono text-mono">{percent === undefined ? '' : `${percent} %`}</span>
      {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
    </div>
  );
}
