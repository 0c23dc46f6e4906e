import type { Known } from '@paddock/pii';
import { decodePercent } from '../../bodies/percent.ts';
import { addCounts, type Counts, type Redacted, type Redactor } from '../../protection/redactor.ts';

const maxAction = 300;
const maxPath = 2_048;
/** Parts of a query that are scanned individually; the rest is left out. */
const maxPairs = 100;

export interface RequestLines {
  action: string;
  path: string;
  query: string | null;
}

/** Method, path and query of a request without the values in them. */
export function redactRequest(
  { method, target }: { method: string; target: string },
  redactor: Redactor,
  known: Known | undefined,
): RequestLines {
  const at = target.indexOf('?');
  const path = redactedPath(at < 0 ? target : target.slice(0, at), redactor, known);
  const query = at < 0 ? null : redactQuery(target.slice(at + 1), redactor, known).text;
  return { action: `${method} ${path}`.slice(0, maxAction).toWellFormed(), path, query };
}

/** The path of a target without the values in it. */
export const redactPath = (target: string, redactor: Redactor): string => redactedPath(target.split('?', 1)[0]!, redactor, undefined);

/** Returns the path unchanged if nothing is found in it. */
function redactedPath(path: string, redactor: Redactor, known: Known | undefined): string {
  const plain = decodePercent(path);
  const redacted = redactor.line(plain, known);
  return (redacted === plain ? path : redacted).slice(0, maxPath).toWellFormed();
}

/** Redacts the pairs of a query or a form; the name of each value helps to classify it. */
export function redactQuery(text: string, redactor: Redactor, known: Known | undefined): Redacted {
  let found: Counts | undefined;
  const pairs = text.split('&', maxPairs + 1);
  const redacted = pairs.slice(0, maxPairs).map((pair) => {
    const one = redactedPair(pair, redactor, known);
    found = addCounts(found, one.found);
    return one.text;
  });
  if (pairs.length > maxPairs) redacted.push('…');
  return {
    text: redacted
      .join('&')
      .slice(0, maxPath * 2)
      .toWellFormed(),
    found,
  };
}

function redactedPair(pair: string, redactor: Redactor, known: Known | undefined): Redacted {
  const at = pair.indexOf('=');
  const name = decodePercent(at < 0 ? '' : pair.slice(0, at));
  const value = decodePercent(pair.slice(at + 1));
  const json = JSON.stringify({ [name]: value });
  const { text, found } = redactor.redact(json, 'json', known);
  if (found === undefined) return { text: pair, found };
  const [[key, masked] = ['', '']] = Object.entries(JSON.parse(text) as Record<string, string>);
  return { text: at < 0 ? masked : `${key}=${masked}`, found };
}
