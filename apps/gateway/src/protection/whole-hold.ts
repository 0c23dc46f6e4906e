import type { ExchangeRecord } from '../audit/records/exchange-record.ts';
import { formatOf } from '../audit/records/recorded-body.ts';
import { bytesOf, isKnownCharset, textOfWhole } from '../bodies/body-text.ts';
import type { Verdict, WholeHold } from '../taps/tap.ts';
import type { BodyHead } from './body-kind.ts';
import { decodeWhole } from './decode-whole.ts';
import { redactedFormIn } from './form.ts';
import type { HeldWay } from './held-way.ts';
import { blockedDetail, overrunDetail } from './refusals.ts';
import type { Remembering, Scanned } from './scan.ts';

const maxBytes = 256 * 1024;

interface Held {
  head: BodyHead;
  record: ExchangeRecord | undefined;
  known: Remembering;
}

/** Collects a body whole, looks through it, and lets it pass without what was found. */
export function wholeHold(held: HeldWay, { head, record, known }: Held): WholeHold {
  const { direction, settings, way } = held;
  const passes = settings.on_overrun === 'pass';
  return { kind: 'whole', maxBytes, beyond: passes ? 'pass' : 'refuse', tooLarge, decide };

  /** What is recorded of it is looked through then. */
  function tooLarge(): void {
    record?.holds(undefined);
  }

  function overrun(): Verdict {
    record?.notScanned(way, 'budget');
    return passes ? {} : { refuse: true, detail: overrunDetail };
  }

  async function decide(body: Buffer): Promise<Verdict> {
    if (body.length === 0) return {};
    const isEncoded = head.encoding !== '' && head.encoding !== 'identity';
    const plain = isEncoded ? await decodeWhole(body, head.encoding) : body;
    if (plain === undefined) return overrun();
    if (!isKnownCharset(head.type.charset)) return overrun();
    const text = textOfWhole(plain, head.type.charset);
    if (text === undefined) {
      record?.notScanned(way, 'binary');
      return {};
    }
    const scanned = await scan(text);
    return scanned === undefined ? overrun() : verdict(text, scanned, isEncoded);
  }

  async function scan(text: string): Promise<Scanned | undefined> {
    const format = formatOf(head.type.essence, text);
    const task = { types: [...direction.types], tokenised: held.tokenised, values: known.pairs };
    if (format === 'text' && head.type.essence === 'application/x-www-form-urlencoded') return redactedFormIn(text, task, held.scanner);
    return held.scanner.scanned({ ...task, text, format });
  }

  function verdict(text: string, { text: masked, found, values }: Scanned, isEncoded: boolean): Verdict {
    for (const [type, value] of values) known.add(type, value);
    const wasChanged = masked !== text;
    const detail = blockedDetail(found, direction.blocked);
    const changes = wasChanged && detail === undefined;
    record?.scanned(way, masked, { found, isCovered: direction.coversStored, wasChanged: changes, essence: head.type.essence });
    if (detail !== undefined) return { refuse: true, detail };
    return wasChanged ? { body: bytesOf(masked, head.type.charset), isDecoded: isEncoded } : {};
  }
}
