import { median } from './measure.ts';

/** A row of the table. A row with a peer was measured in turn with it: ours, peer, ours, peer … */
export interface Result {
  work: string;
  unit: string;
  ours: string;
  /** The peer's result for the same work in this run, or the reason why it is missing. */
  peer: string;
  /** Ratio to the peer: above 1 we are better, whatever the unit. */
  ratio?: number;
  /** In words; absent if nothing was promised. */
  goal?: string;
  met?: boolean;
  /** A remark for the reader of this figure. */
  note?: string;
}

export interface Row {
  name: string;
  /** Rough duration in seconds, for the reader who waits. */
  seconds: number;
  /** Reports each result as soon as it is there, so that a later failure does not lose it. */
  run(report: (result: Result) => void): Promise<void>;
}

type Measured = { values: number[]; digits?: number };

/** A row with a peer: the ratio is the median of the ratios of neighbouring rounds, so that a busy machine harms both sides alike. */
export function beside(row: {
  work: string;
  unit: string;
  /** Whether a larger or a smaller value is better. */
  better: 'more' | 'less';
  ours: Measured;
  peer: Measured & { name: string };
  /** The promised ratio. */
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

/** A row whose peer could not run: our figure alone, without a verdict. */
export const alone = (row: { work: string; unit: string; ours: Measured; why: string; goal?: string | undefined }): Result => ({
  work: row.work,
  unit: row.unit,
  ours: spread(row.ours),
  peer: `skipped: ${row.why}`,
  ...(row.goal ? { goal: row.goal } : {}),
});

/** A row with an upper limit instead of a peer. */
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
