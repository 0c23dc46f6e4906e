// Scans bytes of any kind and masks findings: text in its charset, a file, or other bytes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { detectFormat } from '../audit/records/recorded-body.ts';
import { isKnownFile, isMostlyReadable, readableStretches } from '../bodies/known-file.ts';
import type { MediaType } from '../bodies/media-type.ts';
import { chooseReading, type Pass } from '../bodies/reading.ts';
import { isDeclaredText } from './body-kind.ts';
import { redactFormBody } from './form.ts';
import type { HoldContext } from './hold-context.ts';
import { addCounts, type Counts } from './redactor.ts';
import { type KnownValueSet, type Scanned } from './scan.ts';

export interface MaskedBytes {
  bytes: Buffer;
  found: Counts | undefined;
  /**
   * `text`: scanned as text. `file`: a file of a known format, in which nothing is changed. `bytes`: scanned, but how the receiver decodes them
   * is unknown.
   */
  kind: 'text' | 'file' | 'bytes';
  /** The decoded, masked text. */
  text: string;
}

interface Asked {
  type: MediaType;
  known: KnownValueSet;
  /** Whether it could be decoded as its head declares. */
  isDecoded?: boolean;
  /** The name of the value in a form. */
  name?: string | undefined;
}

/** Undefined if the time did not suffice. */
export async function maskBytes(held: HoldContext, bytes: Buffer, asked: Asked): Promise<MaskedBytes | undefined> {
  const { type, isDecoded = true } = asked;
  const reading = chooseReading(bytes, type.charset);
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

/** Whether the text is JSON. With a NUL it would be JSON in wider characters, and masks would have the wrong width. */
const isPlainJson = (text: string) => /^\s{0,100}[[{]/.test(text) && !text.slice(0, 104).includes('\0');

async function scanText(
  held: HoldContext,
  text: string,
  { type, known, name, pass }: Asked & { pass: Pass },
): Promise<Scanned | undefined> {
  const isText = pass.among === undefined || isPlainJson(text);
  const format = isText ? detectFormat(type.essence, text) : 'text';
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
  // A name may hold a value as well; it stays, because agents access fields by name.
  const [masked = text] = Object.values(JSON.parse(scanned.text) as Record<string, string>);
  return { ...scanned, text: masked };
}

/** Scans a file without masking, which would break it. Readable stretches are searched for blocked types; in a mostly readable file, for all. */
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
