import type { Finding } from '../../packages/pii/src/finding.ts';
import { type PiiType, piiTypes } from '../../packages/pii/src/types.ts';
import { type Labelled, readSet } from '../../packages/pii/test-set/read.ts';
import { type Counts, computeRates, type Match, type Scored, score } from '../../packages/pii/test-set/score.ts';
import type { Result } from '../row.ts';
import { orSkipped, Skipped } from '../skipped.ts';
import { presidio, type Span } from './presidio.ts';

type Find = (text: Labelled) => readonly (Finding | Span)[];

/** Precision, recall and F1 of our detector and of Presidio's defaults on the labelled set, for each type and for all types together. */
export async function measureQuality(detect: (text: string) => Finding[], report: (result: Result) => void): Promise<void> {
  const heldOut = readSet('held-out');
  const all = [...readSet('train'), ...heldOut];
  const english = heldOut.filter(({ lang }) => lang === 'en');
  const peer = await orSkipped(() => presidio(all));
  const theirs: Find | string = peer instanceof Skipped ? peer.message : ({ id }) => peer.found.get(id)!;
  const peerName = peer instanceof Skipped ? '' : `Presidio (${peer.model})`;
  const ours: Find = ({ text }) => detect(text);
  for (const type of piiTypes) report(row(`${type}, held-out texts`, heldOut, { ours, theirs, peerName, type }));
  for (const [name, texts] of [
    ['held-out texts', heldOut],
    ['held-out English texts', english],
    ['all labelled texts', all],
  ] as const)
    for (const match of ['overlap', 'strict'] as const) report(row(`all types, ${name}`, texts, { ours, theirs, peerName, match }));
  report(
    row('the types that Presidio has too, held-out English texts', english, {
      ours: without(ours),
      theirs: typeof theirs === 'string' ? theirs : without(theirs),
      peerName,
      isWithout: true,
    }),
  );
  report(clean(all, { ours, theirs, peerName }));
}

interface Sides {
  ours: Find;
  /** The reason if Presidio is missing. */
  theirs: Find | string;
  peerName: string;
  type?: PiiType;
  match?: Match;
  /** Leaves out addresses and dates of birth, which Presidio knows only in part. */
  isWithout?: boolean;
}

const isOfBoth = ({ type }: Pick<Span, 'type'>) => type !== 'Address' && type !== 'Date of Birth';
const without =
  (find: Find): Find =>
  (text) =>
    find(text).filter(isOfBoth);

function row(
  name: string,
  all: readonly Labelled[],
  { ours, theirs, peerName, type, match = 'overlap', isWithout = false }: Sides,
): Result {
  const texts = isWithout ? all.map((text) => ({ ...text, spans: text.spans.filter(isOfBoth) })) : all;
  const counts = (find: Find) => countsOf(score(texts, find, match), type);
  const mine = counts(ours);
  const result = {
    work: `finding personal data: ${name}, ${match === 'strict' ? 'same bounds' : 'half of both spans in common'}`,
    unit: 'F1',
    ours: rates(mine),
  };
  if (typeof theirs === 'string') return { ...result, peer: `skipped: ${theirs}` };
  const other = counts(theirs);
  const ratio = Number((computeRates(mine).f1 / computeRates(other).f1).toPrecision(3));
  return { ...result, peer: `${peerName}: ${rates(other)}`, ...(Number.isFinite(ratio) ? { ratio } : {}) };
}

function clean(texts: readonly Labelled[], { ours, theirs, peerName }: Sides): Result {
  const told = ({ alarmedCleanTexts, cleanTexts }: Scored) => `${alarmedCleanTexts} of ${cleanTexts}`;
  return {
    work: 'finding personal data: texts without any in which something is found',
    unit: 'texts',
    ours: told(score(texts, ours)),
    peer: typeof theirs === 'string' ? `skipped: ${theirs}` : `${peerName}: ${told(score(texts, theirs))}`,
    note: 'Places and dates of Presidio are left out. It reads JSON as text; we read it as JSON.',
  };
}

const none: Counts = { hits: 0, misses: 0, falseAlarms: 0 };
const countsOf = ({ types, all }: Scored, type: PiiType | undefined): Counts => (type ? (types.get(type) ?? none) : all);

function rates(counts: Counts): string {
  const { precision, recall, f1 } = computeRates(counts);
  return `${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)})`;
}
