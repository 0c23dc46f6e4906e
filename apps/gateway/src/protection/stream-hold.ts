import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeRecord } from '../audit/records/exchange-record.ts';
import { isKnownCharset, isLatin1 } from '../bodies/body-text.ts';
import { EscapedDecoder, encodeEscaped } from '../bodies/escaped-utf8.ts';
import { isKnownFile } from '../bodies/known-file.ts';
import { Refusal, type TailHold } from '../taps/tap.ts';
import { type BodyHead, mustBeReadable, type StreamKind } from './body-kind.ts';
import { partsMasker } from './body-parts.ts';
import type { HoldContext } from './hold-context.ts';
import { placeholderOf } from './placeholder.ts';
import type { Counts } from './redactor.ts';
import { blockedDetail, overrunDetail } from './refusals.ts';
import { createReplacement, fitReplacement, type KnownValueSet } from './scan.ts';
import { sniffedStream } from './sniffed-stream.ts';

/** Length scanned before other work gets its turn. */
const sliceLength = 8 * 1024;
/** Bytes needed to recognise a file's format. */
const beginningLength = 24;

interface Held {
  head: BodyHead;
  kind: StreamKind;
  record: ExchangeRecord | undefined;
  known: KnownValueSet;
}

/** Changes a stream. `isUnreadable` is true once there are bytes in no known encoding. */
interface Masker {
  push(bytes: Buffer, isLast: boolean, check: () => void): Promise<Buffer>;
  findings(): Counts | undefined;
  isUnreadable(): boolean;
}

/** Masks a stream while it passes. A possible beginning of a value is held back, in the stream's own memory. */
export function streamHold(held: HoldContext, { head, kind, record, known }: Held): TailHold {
  const { direction, settings, way } = held;
  const refusesUnreadable = settings.on_overrun === 'refuse' && mustBeReadable(head);
  const masker = kind === 'parts' ? formMasker(held, { head, known }) : textMasker(held, { head, kind, known });
  const wait = beginning(kind === 'bytes');
  let isFile = false;
  let wasChanged = false;
  return { kind: 'tail', maxTail: 0, change };

  async function change(bytes: Buffer, isLast: boolean): Promise<{ out: Buffer; keep: number }> {
    const piece = wait(bytes, isLast);
    if (piece.isFirst && kind === 'bytes' && isKnownFile(piece.bytes)) {
      isFile = true;
      record?.notScanned(way, 'binary');
    }
    if (isFile || piece.isEarly) return { out: piece.bytes, keep: 0 };
    const out = await masker.push(piece.bytes, isLast, check);
    check();
    const found = masker.findings();
    wasChanged ||= found !== undefined;
    record?.streamed(way, { found, wasChanged });
    return { out, keep: 0 };
  }

  function check(): void {
    const found = masker.findings();
    const detail = blockedDetail(found, direction.blocked);
    if (detail !== undefined) {
      record?.streamed(way, { found, wasChanged });
      throw new Refusal(detail);
    }
    if (!refusesUnreadable || !masker.isUnreadable()) return;
    record?.notScanned(way, 'binary');
    throw new Refusal(overrunDetail);
  }
}

/** Collects the first bytes if they are needed to recognise a file. */
function beginning(isWanted: boolean) {
  let first = Buffer.alloc(0);
  let isOver = !isWanted;
  return (bytes: Buffer, isLast: boolean): { bytes: Buffer; isFirst: boolean; isEarly: boolean } => {
    if (isOver) return { bytes, isFirst: false, isEarly: false };
    first = Buffer.concat([first, bytes]);
    if (first.length < beginningLength && !isLast) return { bytes: Buffer.alloc(0), isFirst: false, isEarly: true };
    isOver = true;
    return { bytes: first, isFirst: true, isEarly: false };
  };
}

function formMasker(held: HoldContext, { head, known }: Pick<Held, 'head' | 'known'>): Masker {
  const parts = partsMasker(held, { boundary: head.boundary, known });
  return {
    push: (bytes, isLast) => parts.push(bytes, isLast),
    findings: () => parts.state().found,
    isUnreadable: () => parts.state().kind === 'bytes',
  };
}

function textMasker(
  { direction, tokenised, tokenKey }: HoldContext,
  { head, kind, known }: { head: BodyHead; kind: Exclude<StreamKind, 'parts'>; known: KnownValueSet },
): Masker {
  const { charset } = head.type;
  const isLatin = isLatin1(charset);
  const escaped = new EscapedDecoder();
  const decoder = isLatin ? new StringDecoder('latin1') : escaped;
  let hasNul = false;
  const isUnreadable = () => hasNul || escaped.hasEscaped || !isKnownCharset(charset);
  const mask = createReplacement(tokenised, tokenKey) ?? placeholderOf;
  const fitted = fitReplacement(mask, 'joined');
  const stream = sniffedStream({
    isLines: kind === 'lines',
    types: direction.types,
    // A mask of another length would break the bytes around the value.
    replacement: (type, value) => (kind === 'bytes' && isUnreadable() ? fitted(type, value) : mask(type, value)),
    known,
  });
  return { push, findings: stream.findings, isUnreadable };

  async function push(bytes: Buffer, isLast: boolean, check: () => void): Promise<Buffer> {
    const text = decoder.write(bytes) + (isLast ? decoder.end() : '');
    hasNul ||= text.includes('\0');
    let out = '';
    for (let at = 0; at < text.length; at += sliceLength) {
      if (at > 0) await nextTurn();
      out += stream.push(text.slice(at, at + sliceLength));
      check();
    }
    if (isLast) out += stream.end();
    return isLatin ? Buffer.from(out, 'latin1') : encodeEscaped(out);
  }
}
