type Props = {
  /** Text alternative of the line: '1.2K requests, peak at 14:00'. */
  label: string;
  /** Evenly spaced in time, oldest first; null where nothing was measured. */
  values: readonly (number | null)[];
};

const width = 96;
const height = 20;

/** A series as a small line without figures, which are shown beside it. Gaps stay gaps. */
export function Sparkline({ label, values }: Props) {
  const top = Math.max(0, ...values.map((value) => value ?? 0)) || 1;
  const x = (index: number) => Math.round((index / Math.max(1, values.length - 1)) * width * 10) / 10;
  const y = (value: number) => Math.round((height - (value / top) * height) * 10) / 10;
  const path = values
    .map((value, index) => {
      if (value === null) return '';
      const isBegun = index > 0 && values[index - 1] !== null;
      return `${isBegun ? 'L' : 'M'}${x(index)} ${y(value)}`;
    })
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      className="block h-5.5 w-24.5 shrink-0 overflow-visible border-b border-border"
    >
      <path
        d={path}
        strokeLinejoin="round"
        strokeLinecap="round"
        className="fill-none stroke-s1 stroke-[1.5] forced-colors:stroke-[CanvasText]"
      />
    </svg>
  );
}
