// Scans bytes and masks the findings in them, whatever they are: text in their charset, a file, or something else.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatOf } from '../audit/records/recorded-body.ts';
import { isKnownFile, isMostlyReadable, readableStretches } from '../bodies/known-file.ts';
import type { MediaType } from '../bodies/media-type.ts';
import { type Pass, readingOf } from '../bodies/reading.ts';
import { isDeclaredText } from './body-kind.ts';
import { redactFormBody } from './form.ts';
import type { HoldContext } from './hold-context.ts';
import { addCounts, type Counts } from './redactor.ts';
import { type KnownValueSet, type Scanned } from './scan.ts';

export interface MaskedBytes {
  bytes: Buffer;
  found: Counts | undefined;
  /**
   * `text`: scanned as text. `file`: a file of a known format, in which nothing is changed. `bytes`: scanned, but it is unknown how its reader
   * interprets it.
   */
  kind: 'text' | 'file' | 'bytes';
  /** The decoded text, masked. */
  text: string;
}

interface Asked {
  type: MediaType;
  known: KnownValueSet;
  /** It could be decoded according to its header. */
  isDecoded?: boolean;
  /** The name of the value's field in a form. */
  name?: string | undefined;
}

/** Undefined if there was no time for it. */
export async function maskBytes(held: HoldContext, bytes: Buffer, asked: Asked): Promise<MaskedBytes | undefined> {
  const { type, isDecoded = true } = asked;
  const reading = readingOf(bytes, type.charset);
  const isText = reading.isText && isDecoded;
  const mayBeFile = isDecoded && !isText && (type.essence === '' || !isDeclaredText(type.essence));
  if (mayBeFile && isKnownFile(bytes)) return scanFile(held, bytes, asked);
  let masked: MaskedBytes = { bytes, found: undefined, kind: isText ? 'text' : 'bytes', text: '' };
  for (const [at, pass] of reading.passes.entries()) {
    if (at > 0) await nextTurn();
    const text = pass.decode(masked.bytes);
    const scanned = await scanText(held, text, { ...asked, pass });
    if (scanned === undefined) return undefined;
    masked = {
      ...masked,
      bytes: scanned.text === text ? masked.bytes : pass.encode(scanned.text),
      found: addCounts(masked.found, scanned.found),
      text: at === 0 ? scanned.text : masked.text,
    };
  }
  return masked;
}

/** With a NUL it would be JSON of wider characters, whose masks would be narrow. */
const isPlainJson = (text: string) => /^\s{0,100}[[{]/.test(text) && !text.slice(0, 104).includes('\0');

async function scanText(
  held: HoldContext,
  text: string,
  { type, known, name, pass }: Asked & { pass: Pass },
): Promise<Scanned | undefined> {
  const isText = pass.among === undefined || isPlainJson(text);
  const format = isText ? formatOf(type.essence, text) : 'text';
  const among = isText ? undefined : pass.among;
  const task = { types: [...held.direction.types], tokenised: held.tokenised, tokenKey: held.tokenKey, values: known.pairs, among };
  const scanned = await scanAs(held, text, { ...task, format, essence: type.essence, name });
  for (const [kind, value] of scanned?.values ?? []) known.add(kind, value);
  return scanned;
}

type Task = Omit<Parameters<HoldContext['scanner']['scanned']>[0], 'text'>;

async function scanAs(
  { scanner }: HoldContext,
  text: string,
  { essence, name, ...task }: Task & { essence: string; name: string | undefined },
): Promise<Scanned | undefined> {
  if (task.format !== 'text') return scanner.scanned({ ...task, text });
  if (essence === 'application/x-www-form-urlencoded') return redactFormBody(text, task, scanner);
  if (name === undefined || task.among !== undefined) return scanner.scanned({ ...task, text });
  const scanned = await scanner.scanned({ ...task, text: JSON.stringify({ [name]: text }), format: 'json' });
  if (scanned === undefined) return undefined;
  // A name may contain a value as well; it stays unchanged, because an agent looks it up.
  const [masked = text] = Object.values(JSON.parse(scanned.text) as Record<string, string>);
  return { ...scanned, text: masked };
}

/**
 * Masking would break a file, so nothing is replaced. Its readable text is searched for types that may not pass; that of a document for all types.
 */
async function scanFile(held: HoldContext, bytes: Buffer, { known }: Asked): Promise<MaskedBytes | undefined> {
  const isReadable = isMostlyReadable(bytes);
  const types = isReadable ? [...held.direction.types] : [...held.direction.blocked];
  const file: MaskedBytes = { bytes, found: undefined, kind: 'file', text: '' };
  if (types.length === 0) return file;
  const text = readableStretches(bytes);
  const scanned = await held.scanner.scanned({ text, format: 'text', types, tokenised: [], tokenKey: undefined, values: known.pairs });
  if (scanned === undefined) return undefined;
  return { ...file, found: scanned.found, kind: isReadable && scanned.found !== undefined ? 'bytes' : 'file' };
}
