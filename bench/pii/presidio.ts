import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Labelled } from '../../packages/pii/test-set/read.ts';
import { Skipped } from '../skipped.ts';

// The variable names a Python environment outside the project with presidio-analyzer and one of spaCy's English models.
const folder = process.env.PADDOCK_BENCH_PRESIDIO;
const models = process.env.PADDOCK_BENCH_PRESIDIO_MODEL?.split(',') ?? ['en_core_web_lg', 'en_core_web_md', 'en_core_web_sm'];
const maxMs = 240_000;

export type Span = Pick<Labelled['spans'][number], 'type' | 'start' | 'end'>;
type Raw = [type: string, start: number, end: number, score: number];

const types = {
  PERSON: 'Name',
  PHONE_NUMBER: 'Phone',
  US_SSN: 'SSN',
  CREDIT_CARD: 'Credit Card',
  IP_ADDRESS: 'IP Address',
  EMAIL_ADDRESS: 'Email',
} as const;

/** Presidio's findings with its defaults, in our types. Throws Skipped if it is not installed. */
export async function presidio(texts: readonly Labelled[]): Promise<{ found: Map<string, Span[]>; model: string; ms: number }> {
  const python = folder && join(folder, 'bin', 'python');
  if (!python || !existsSync(python))
    throw new Skipped('PADDOCK_BENCH_PRESIDIO names no Python environment with presidio-analyzer and a model of spaCy');
  const model = await firstModel(python);
  const begun = performance.now();
  const lines = (await run(python, [join(import.meta.dirname, 'presidio.py'), model], texts)).trimEnd().split('\n');
  const ms = performance.now() - begun;
  const found = new Map(texts.map((text, at) => [text.id, ours(JSON.parse(lines[at]!) as Raw[], text)]));
  return { found, model, ms };
}

/**
 * Presidio knows places, not addresses, and dates, not dates of birth. To be fair to it, places that touch a labelled address are joined to one
 * finding, dates count if they touch a labelled date of birth, and all other places and dates are ignored instead of being false alarms.
 */
function ours(raw: Raw[], text: Labelled): Span[] {
  const spans: Span[] = [];
  for (const [name, start, end] of withoutOverlaps(raw))
    if (name in types) spans.push({ type: types[name as keyof typeof types], start, end });
  for (const { type, start, end } of text.spans) {
    if (type !== 'Address' && type !== 'Date of Birth') continue;
    const kind = type === 'Address' ? 'LOCATION' : 'DATE_TIME';
    const touching = raw.filter(([name, from, to]) => name === kind && from < end && start < to);
    if (touching.length === 0) continue;
    spans.push({ type, start: Math.min(...touching.map(([, from]) => from)), end: Math.max(...touching.map(([, , to]) => to)) });
  }
  return spans;
}

/** Retains the surer one of overlapping findings, as Presidio's anonymizer does. */
function withoutOverlaps(raw: Raw[]): Raw[] {
  const kept: Raw[] = [];
  for (const one of raw.toSorted((a, b) => b[3] - a[3] || b[2] - b[1] - (a[2] - a[1])))
    if (one[0] in types && !kept.some((other) => one[1] < other[2] && other[1] < one[2])) kept.push(one);
  return kept;
}

async function firstModel(python: string): Promise<string> {
  for (const model of models) {
    const isThere = await run(python, ['-c', `import spacy.util, sys; sys.exit(0 if spacy.util.is_package("${model}") else 1)`], []).then(
      () => true,
      () => false,
    );
    if (isThere) return model;
  }
  throw new Skipped(`the Python environment of PADDOCK_BENCH_PRESIDIO has none of the models ${models.join(', ')}`);
}

function run(python: string, args: string[], texts: readonly Labelled[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(python, args, { timeout: maxMs, maxBuffer: 1 << 26 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    // A program that ends early reports it by its exit code; a failed write to it does not matter then.
    child.stdin!.on('error', () => {});
    child.stdin!.end(texts.map(({ text }) => `${JSON.stringify({ text })}\n`).join(''));
  });
}
