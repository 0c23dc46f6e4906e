import { interleave } from './measure.ts';
import { alone, beside, type Result } from './row.ts';
import type { Peer, Side, Sides } from './sides.ts';
import { Skipped } from './skipped.ts';

/** A figure of the table, computed from each measurement. */
export interface Figure<T> {
  work: string;
  unit: string;
  better: 'more' | 'less';
  of: (measured: T) => number;
  digits?: number;
  /** The promised ratios. Without one, the figure is only shown. */
  atLeast?: Partial<Record<Peer['kind'], number>>;
  note?: string;
}

interface Plan<T> {
  rounds: number;
  /** Measures everything once before it counts, so that compilers and caches are warm. On by default. */
  isWarmedUp?: boolean;
  measure: (side: Side) => Promise<T>;
  /** The text of a figure may contain measured values. */
  figures: (measured: NoInfer<T>[]) => Figure<NoInfer<T>>[];
}

/** Measures the gateway and its peers in turn, and reports each figure against each peer. A missing peer's row gives the reason. */
export async function comparePeers<T>(sides: Sides, plan: Plan<T>, report: (result: Result) => void): Promise<void> {
  const here = sides.peers.flatMap(({ side }) => (side instanceof Skipped ? [] : [side]));
  const works = [sides.ours, ...here].map((side) => () => plan.measure(side));
  if (plan.isWarmedUp !== false) await interleave(1, works);
  const [ours, ...theirs] = await interleave(plan.rounds, works);
  for (const figure of plan.figures([ours!, ...theirs].flat()))
    for (const peer of sides.peers)
      report(compare(figure, { ours: ours!, peer, theirs: peer.side instanceof Skipped ? [] : theirs[here.indexOf(peer.side)]! }));
}

function compare<T>(figure: Figure<T>, { ours, peer, theirs }: { ours: T[]; peer: Peer; theirs: T[] }): Result {
  const { work, unit, better, digits, note } = figure;
  const atLeast = figure.atLeast?.[peer.kind];
  const values = (measured: T[]) => ({ values: measured.map(figure.of), ...(digits === undefined ? {} : { digits }) });
  if (peer.side instanceof Skipped)
    return alone({
      work,
      unit,
      ours: values(ours),
      why: peer.side.message,
      goal: atLeast === undefined ? undefined : `at least ${atLeast}×`,
    });
  return beside({
    work,
    unit,
    better,
    ours: values(ours),
    peer: { name: peer.side.name, ...values(theirs) },
    ...(atLeast === undefined ? {} : { atLeast }),
    ...(note === undefined ? {} : { note }),
  });
}
