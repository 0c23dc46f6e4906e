import type { LeftOut } from '@paddock/audit';
import { isLines, type Known } from '@paddock/pii';
import { decodeBodyText, decoded, isKnownCharset, wholeCharacters } from '../../bodies/body-text.ts';
import { isBinary, type MediaType } from '../../bodies/media-type.ts';
import { addCounts, type Counts, type Redactor, type TextFormat } from '../../protection/redactor.ts';
import { type Excerpt, marginBytes } from './excerpt.ts';
import { redactQuery } from './redact-request.ts';

/** A body as it stands in a record. */
export interface Recorded {
  /** The body as JSON. */
  json: string;
  leftOut: LeftOut | null;
  isCut: boolean;
  isScanned: boolean;
  found: Counts | undefined;
}

export const leftOut = (why: LeftOut): Recorded => ({ json: 'null', leftOut: why, isCut: false, isScanned: false, found: undefined });

export interface BodyFacts {
  type: MediaType;
  encoding: string;
  redactor: Redactor;
  known: Known;
}

/** Characters kept of a longer text's beginning and end. */
const maxFirst = 4 * 1024;
const maxLast = 1024;
/** Deeper JSON is kept as text. */
const maxDepth = 64;

/** The recorded form of a body: only text, redacted. */
export function recordedBody(excerpt: Excerpt, { type, encoding, redactor, known }: BodyFacts): Recorded {
  if (excerpt.isShort) return leftOut('budget');
  if (isBinary(type.essence)) return leftOut('binary');
  const isEncoded = encoding !== '' && encoding !== 'identity';
  const parts = isEncoded ? decodedParts(excerpt, encoding) : toExcerptText(excerpt);
  if (parts === undefined) return leftOut('encoding');
  const first = decodeBodyText(parts.first, type.charset);
  const last = decodeBodyText(parts.last, type.charset);
  if (first === undefined || last === undefined) return leftOut(isKnownCharset(type.charset) ? 'binary' : 'encoding');
  const format = detectFormat(type.essence, first);
  if (!parts.isCut) return whole(first + last, { format, essence: type.essence, redactor, known });
  return cut({ first, last }, { format, redactor, known });
}

/** The recorded form of a text that a policy has already changed. Without a redactor it contains nothing that may not be stored. */
export function recordedText(
  text: string,
  { essence, redactor, known }: { essence: string; redactor: Redactor | undefined; known: Known },
): Recorded {
  const format = detectFormat(essence, text);
  const rest = redactor ?? untouched;
  if (text.length <= maxFirst + maxLast) return whole(text, { format, essence, redactor: rest, known });
  return cut({ first: text.slice(0, maxFirst + marginBytes), last: text.slice(-maxLast - marginBytes) }, { format, redactor: rest, known });
}

const untouched: Redactor = { redact: (text) => ({ text, found: undefined }), line: (text) => text };

interface ExcerptText {
  first: string;
  last: string;
  isCut: boolean;
}

function toExcerptText({ first, last, isCut }: Excerpt): ExcerptText {
  // Without a cut the parts are joined, because a character may lie across them.
  if (!isCut) return { first: first + last, last: '', isCut };
  return {
    first: wholeCharacters(first, { atStart: false, atEnd: true }),
    last: wholeCharacters(last, { atStart: true, atEnd: false }),
    isCut,
  };
}

/** Decodes the parts of a body. Only the beginning of a cut, encoded body can be read. */
function decodedParts({ first, last, isCut }: Excerpt, encoding: string): ExcerptText | undefined {
  const text = decoded(isCut ? first : first + last, encoding);
  if (text === undefined) return undefined;
  return { first: isCut ? wholeCharacters(text, { atStart: false, atEnd: true }) : text, last: '', isCut };
}

function whole(
  text: string,
  { format, essence, redactor, known }: { format: TextFormat; essence: string; redactor: Redactor; known: Known },
): Recorded {
  const isForm = essence === 'application/x-www-form-urlencoded' && format === 'text';
  const redacted = isForm ? redactQuery(text, redactor, known) : redactor.redact(text, format, known);
  const json = format === 'json' ? compactJson(redacted.text) : undefined;
  return { json: json ?? JSON.stringify(redacted.text), leftOut: null, isCut: false, isScanned: true, found: redacted.found };
}

/** Redacts both parts, then removes their margins, in which the cut may have shortened a value. */
function cut(
  { first, last }: { first: string; last: string },
  { format, redactor, known }: { format: TextFormat; redactor: Redactor; known: Known },
): Recorded {
  const beginning = redactor.redact(first, format, known);
  const end = last === '' ? undefined : redactor.redact(last, format, known);
  const kept = beginning.text.slice(0, Math.max(0, beginning.text.length - marginBytes));
  const text = end === undefined ? `${kept}…` : `${kept}\n…\n${end.text.slice(marginBytes)}`;
  return {
    json: JSON.stringify(text.toWellFormed()),
    leftOut: null,
    isCut: true,
    isScanned: true,
    found: addCounts(beginning.found, end?.found),
  };
}

/** JSON without whitespace; undefined if the text is not JSON, or nested too deeply for some parsers. */
function compactJson(text: string): string | undefined {
  try {
    if (estimateDepth(text) > maxDepth) return undefined;
    const value: unknown = JSON.parse(text);
    return isPlain(text) ? text : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Whether the text is on one line and has no number with an exponent, which may be too large. */
const isPlain = (text: string) => !/[\r\n]|\d[eE]/.test(text);

/** An upper bound of the nesting depth: brackets in strings count as well. */
function estimateDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}

/** The format of a text. JSON is recognised by its content as well, because many programs declare another type. */
export function detectFormat(essence: string, text: string): TextFormat {
  if (essence === 'text/event-stream' || isLines(text)) return 'events';
  if (essence === 'application/json' || essence.endsWith('+json')) return 'json';
  const begin = /^\s{0,100}([[{])/.test(text);
  return begin ? 'json' : 'text';
}
