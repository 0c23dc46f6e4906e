import { median } from './measure.ts';

/** One line of the table. Rows with a peer were measured side by side with it: ours, peer, ours, peer … */
export interface Result {
  work: string;
  unit: string;
  ours: string;
  /** The same work done by somebody else in this run, or why that could not be. */
  peer: string;
  /** How many times as good as the peer; above 1 we are better, whatever the unit. */
  ratio?: number;
  /** In words; absent where nothing was promised. */
  goal?: string;
  met?: boolean;
  /** What a reader should know of this figure. */
  note?: string;
}

export interface Row {
  name: string;
  /** Rough seconds that it takes, for the reader who waits. */
  seconds: number;
  /** Reports each result as soon as it is there, so that a later failure takes nothing with it. */
  run(report: (result: Result) => void): Promise<void>;
}

type Measured = { values: number[]; digits?: number };

/** A row against a peer: the ratio is the median of the ratios of neighbouring rounds, so that a busy machine harms both sides alike. */
export function beside(row: {
  work: string;
  unit: string;
  /** Whether more of the unit is better or less of it. */
  better: 'more' | 'less';
  ours: Measured;
  peer: Measured & { name: string };
  /** The ratio that was promised. */
  atLeast?: number;
  note?: string;
}): Result {
  const { ours, peer, better, atLeast } = row;
  const ratios = ours.values.map((value, at) => (better === 'more' ? value / peer.values[at]! : peer.values[at]! / value));
  const ratio = median(ratios);
  return {
    work: row.work,
    unit: row.unit,
    ours: spread(ours),
    peer: `${peer.name}: ${spread(peer)}`,
    ratio: Number(ratio.toPrecision(3)),
    ...(atLeast === undefined ? {} : { goal: `at least ${atLeast}×`, met: ratio >= atLeast }),
    ...(row.note ? { note: row.note } : {}),
  };
}

/** A row whose peer could not run: ours alone, which is not a result. */
export const alone = (row: { work: string; unit: string; ours: Measured; why: string; goal?: string | undefined }): Result => ({
  work: row.work,
  unit: row.unit,
  ours: spread(row.ours),
  peer: `skipped: ${row.why}`,
  ...(row.goal ? { goal: row.goal } : {}),
});

/** A row that is measured against a figure instead of a peer. */
export const below = (row: { work: string; unit: string; ours: Measured; max: number; note?: string }): Result => ({
  work: row.work,
  unit: row.unit,
  ours: spread(row.ours),
  peer: '–',
  goal: `below ${row.max}`,
  met: median(row.ours.values) < row.max,
  ...(row.note ? { note: row.note } : {}),
});

function spread({ values, digits = 0 }: Measured): string {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = median(values).toFixed(digits);
  return sorted.length < 2 ? middle : `${middle} (${sorted[0]!.toFixed(digits)}–${sorted.at(-1)!.toFixed(digits)})`;
}
