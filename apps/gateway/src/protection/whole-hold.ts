import type { ExchangeRecord } from '../audit/records/exchange-record.ts';
import { isKnownFile } from '../bodies/known-file.ts';
import { isParts } from '../bodies/media-type.ts';
import type { Verdict, WholeHold } from '../taps/tap.ts';
import { type BodyHead, isDeclaredText, isEncoded, mustBeReadable } from './body-kind.ts';
import { partsMasker } from './body-parts.ts';
import { decodeWhole } from './decode-whole.ts';
import type { HoldContext } from './hold-context.ts';
import { type MaskedBytes, maskBytes } from './mask-bytes.ts';
import { blockedDetail, overrunDetail } from './refusals.ts';
import type { KnownValueSet } from './scan.ts';

const maxBytes = 256 * 1024;

interface Held {
  head: BodyHead;
  record: ExchangeRecord | undefined;
  known: KnownValueSet;
}

/** Collects a whole body, scans it, and forwards it with its findings masked. */
export function wholeHold(held: HoldContext, { head, record, known }: Held): WholeHold {
  const { direction, settings, way } = held;
  const { type } = head;
  const passes = settings.on_overrun === 'pass' || !mustBeReadable(head);
  return { kind: 'whole', maxBytes, tooLarge, decide };

  /** The recorded part of the body is scanned for the record. A file may have any size. */
  function tooLarge(beginning: Buffer): 'pass' | 'refuse' {
    record?.holds(undefined);
    const isFile = !isEncoded(head.encoding) && type.essence !== '' && !isDeclaredText(type.essence) && isKnownFile(beginning);
    return passes || isFile ? 'pass' : 'refuse';
  }

  function overrun(): Verdict {
    record?.notScanned(way, 'budget');
    return passes ? {} : { refuse: true, detail: overrunDetail };
  }

  async function decide(body: Buffer): Promise<Verdict> {
    if (body.length === 0) return {};
    const plain = isEncoded(head.encoding) ? await decodeWhole(body, head.encoding) : body;
    if (plain === 'too large') return overrun();
    const bytes = plain ?? body;
    const masked = await (isParts(type.essence) && plain !== undefined
      ? maskParts(bytes)
      : maskBytes(held, bytes, { type, known, isDecoded: plain !== undefined }));
    if (masked === undefined) return overrun();
    return verdict(bytes, masked, bytes !== body);
  }

  async function maskParts(bytes: Buffer): Promise<MaskedBytes> {
    const masker = partsMasker(held, { boundary: head.boundary, known });
    const masked = await masker.push(bytes, true);
    return { ...masker.state(), bytes: masked, text: '' };
  }

  function verdict(bytes: Buffer, { bytes: masked, found, kind, text }: MaskedBytes, wasEncoded: boolean): Verdict {
    const wasChanged = masked !== bytes && !masked.equals(bytes);
    const blocked = blockedDetail(found, direction.blocked);
    const detail = blocked ?? (kind === 'bytes' && !passes ? overrunDetail : undefined);
    const changes = wasChanged && detail === undefined;
    const { essence } = type;
    if (kind === 'text' && !isParts(essence))
      record?.scanned(way, text, { found, isCovered: direction.coversStored, wasChanged: changes, essence });
    else record?.scannedBytes(way, { found, wasChanged: changes });
    if (detail !== undefined) return { refuse: true, detail };
    return wasChanged ? { body: masked, isDecoded: wasEncoded } : {};
  }
}
