import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { maskStream } from '@paddock/pii';
import type { ExchangeRecord } from '../audit/records/exchange-record.ts';
import { isLatin1 } from '../bodies/body-text.ts';
import { Refusal, type TailHold } from '../taps/tap.ts';
import type { BodyHead, BodyKind } from './body-kind.ts';
import type { HeldWay } from './held-way.ts';
import { lineStream } from './line-stream.ts';
import type { Counts } from './redactor.ts';
import { blockedDetail } from './refusals.ts';
import { type Remembering, replacementOf } from './scan.ts';

/** What is looked through before others have their turn. */
const sliceLength = 8 * 1024;

interface Held {
  head: BodyHead;
  kind: Exclude<BodyKind, 'whole' | 'binary'>;
  record: ExchangeRecord | undefined;
  known: Remembering;
}

/** Lets a stream pass without what is found in it; what may be the beginning of a value is held back, in the stream's own memory. */
export function streamHold(held: HeldWay, { head, kind, record, known }: Held): TailHold {
  const { direction, way, tokenised, tokenise } = held;
  const isLatin = isLatin1(head.type.charset);
  const decoder = new StringDecoder(isLatin ? 'latin1' : 'utf8');
  const options = { types: direction.types, replacement: replacementOf(tokenised, tokenise), known };
  const stream = kind === 'lines' ? lineStream(options) : maskedStream(kind, options);
  let wasChanged = false;
  return { kind: 'tail', maxTail: 0, change };

  async function change(bytes: Buffer, isLast: boolean): Promise<{ out: Buffer; keep: number }> {
    const text = decoder.write(bytes) + (isLast ? decoder.end() : '');
    let out = '';
    for (let at = 0; at < text.length; at += sliceLength) {
      if (at > 0) await nextTurn();
      out += stream.push(text.slice(at, at + sliceLength));
      refuseBlocked(stream.findings());
    }
    if (isLast) out += stream.end();
    const found = stream.findings();
    refuseBlocked(found);
    wasChanged ||= found !== undefined;
    record?.streamed(way, { found, wasChanged });
    return { out: Buffer.from(out, isLatin ? 'latin1' : 'utf8'), keep: 0 };
  }

  function refuseBlocked(found: Counts | undefined): void {
    const detail = blockedDetail(found, direction.blocked);
    if (detail === undefined) return;
    record?.streamed(way, { found, wasChanged });
    throw new Refusal(detail);
  }
}

function maskedStream(kind: 'events' | 'text', options: Omit<Parameters<typeof maskStream>[0], 'format'>) {
  const stream = maskStream({ ...options, format: kind });
  return {
    push: (text: string) => stream.push(text),
    end: () => stream.end(),
    findings: (): Counts | undefined => (Object.keys(stream.findings).length === 0 ? undefined : stream.findings),
  };
}
