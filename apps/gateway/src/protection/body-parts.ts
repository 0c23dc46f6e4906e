// Masks the parts of a multipart body: text is masked like any text, files of known formats stay unchanged.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isKnownFile } from '../bodies/known-file.ts';
import { parseMediaType } from '../bodies/media-type.ts';
import { Stash } from '../bodies/stash.ts';
import type { HoldContext } from './hold-context.ts';
import { type MaskedBytes, maskBytes } from './mask-bytes.ts';
import { addCounts, type Counts } from './redactor.ts';
import type { KnownValueSet } from './scan.ts';

/** Longer parts are not scanned: a file passes, anything else counts as unreadable. */
const maxPart = 256 * 1024;
const maxHead = 16 * 1024;

interface State {
  found: Counts | undefined;
  /** `bytes`: at least one part is unreadable. */
  kind: MaskedBytes['kind'];
}

interface PartContext {
  boundary: string | undefined;
  known: KnownValueSet;
}

/** Takes bytes as they arrive, and returns those that may be forwarded. */
export function partsMasker(held: HoldContext, { boundary, known }: PartContext) {
  const delimiter = Buffer.from(`--${boundary ?? ''}`);
  const state: State = { found: undefined, kind: 'text' };
  const stash = new Stash();
  /** Number of stashed bytes known to hold no delimiter. */
  let searched = 0;
  /** Whether the current part is too long and the rest of it passes. */
  let isPassing = false;
  return { push, state: () => state };

  async function push(bytes: Buffer, isLast: boolean): Promise<Buffer> {
    stash.add(bytes, 0, bytes.length);
    const out: Buffer[] = [];
    for (let part = nextPart(); part !== undefined; part = nextPart()) {
      out.push(await masked(part));
      isPassing = false;
      await nextTurn();
    }
    if (isLast) out.push(await masked(take(stash.length)));
    else if (isPassing || stash.length > maxPart) out.push(passed());
    return Buffer.concat(out);
  }

  /** The bytes before the next delimiter. */
  function nextPart(): Buffer | undefined {
    if (boundary === undefined) return undefined;
    const bytes = stash.bytes.subarray(stash.from, stash.to);
    const isAtDelimiter = bytes.subarray(0, delimiter.length).equals(delimiter);
    const end = bytes.indexOf(delimiter, Math.max(searched, isAtDelimiter ? 1 : 0));
    if (end !== -1) return take(end);
    searched = Math.max(0, bytes.length - delimiter.length);
    return undefined;
  }

  /** Removes `length` bytes and returns a copy of them. */
  function take(length: number): Buffer {
    const taken = Buffer.from(stash.bytes.subarray(stash.from, stash.from + length));
    stash.dropTo(stash.from + length);
    searched = 0;
    return taken;
  }

  function passed(): Buffer {
    if (!isPassing && !isKnownFile(cut(stash.bytes.subarray(stash.from, stash.to)).body)) state.kind = 'bytes';
    isPassing = true;
    return take(Math.max(0, stash.length - delimiter.length));
  }

  /** Masks a part with its delimiter and head, or the preamble. */
  async function masked(part: Buffer): Promise<Buffer> {
    if (isPassing) return part;
    const from = boundary !== undefined && part.subarray(0, delimiter.length).equals(delimiter) ? delimiter.length : 0;
    const { head, body, end } = cut(part.subarray(from));
    // A part's head may hold a file name with personal data.
    const maskedHead = await scan(head, { type: { essence: '', charset: '' } });
    const content = await scan(body, parsePartHead(head));
    return Buffer.concat([part.subarray(0, from), maskedHead, content, end]);
  }

  async function scan(bytes: Buffer, asked: Pick<Parameters<typeof maskBytes>[2], 'type' | 'name'>): Promise<Buffer> {
    if (bytes.length === 0) return bytes;
    const one = await maskBytes(held, bytes, { ...asked, known });
    state.found = addCounts(state.found, one?.found);
    if (one === undefined || one.kind === 'bytes') state.kind = 'bytes';
    return one?.bytes ?? bytes;
  }
}

/** Splits a part into the head with the empty line, the content, and the line break that belongs to the next delimiter. */
function cut(part: Buffer): { head: Buffer; body: Buffer; end: Buffer } {
  const lines = part.subarray(0, maxHead);
  const crlf = lines.indexOf('\r\n\r\n');
  const lf = lines.indexOf('\n\n');
  const isCrlf = crlf >= 0 && (lf < 0 || crlf < lf);
  let from = isCrlf ? crlf + 4 : 0;
  if (!isCrlf && lf >= 0) from = lf + 2;
  let to = part.length;
  if (to > from && part[to - 1] === 10) to -= 1;
  if (to > from && part[to - 1] === 13) to -= 1;
  return { head: part.subarray(0, from), body: part.subarray(from, to), end: part.subarray(to) };
}

function parsePartHead(head: Buffer): { type: ReturnType<typeof parseMediaType>; name: string | undefined } {
  const text = head.toString();
  const isFilePart = /;\s{0,9}filename/i.test(text);
  const name = /;\s{0,9}name="([^"\r\n]{1,100})"/i.exec(text)?.[1];
  const type = parseMediaType(/^content-type:([^\r\n]{1,200})/im.exec(text)?.[1]);
  return { type, name: isFilePart ? undefined : name };
}
