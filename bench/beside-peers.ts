import { interleave } from './measure.ts';
import { alone, beside, type Result } from './row.ts';
import type { Peer, Side, Sides } from './sides.ts';
import { Skipped } from './skipped.ts';

/** A line of the table, made from what each measuring gave. */
export interface Figure<T> {
  work: string;
  unit: string;
  better: 'more' | 'less';
  of: (measured: T) => number;
  digits?: number;
  /** The ratios that were promised. Without one, the figure is only shown. */
  atLeast?: Partial<Record<Peer['kind'], number>>;
  note?: string;
}

interface Plan<T> {
  rounds: number;
  /** Whether everything is measured once before it counts, so that compilers and caches are warm. */
  isWarmedUp?: boolean;
  measure: (side: Side) => Promise<T>;
  /** What was measured here may go into the words of a figure. */
  figures: (measured: NoInfer<T>[]) => Figure<NoInfer<T>>[];
}

/** Measures the gateway and its peers in turn, and reports each figure beside each peer; for a peer that is not here it says why. */
export async function besidePeers<T>(sides: Sides, plan: Plan<T>, report: (result: Result) => void): Promise<void> {
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
