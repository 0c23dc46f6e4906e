// Masks a text that arrives in pieces. The tail is held back until it is decided, so that a value split over pieces is found.
import { findSpots } from '../find.ts';
import { placeholder } from '../redact.ts';
import { replaceSpots } from '../replace.ts';
import { type Counts, count, type MaskStream, type StreamOptions } from './stream.ts';

/** The longest value and the text read after it. */
const HELD = 128;
/** A scan waits for this many new characters, so that short tokens do not cost a scan each. */
const STEP = 32;
/** Text kept from before, for the cues in it. */
const CONTEXT = 256;
/** Maximum held-back text. A longer value is masked up to here. */
const MOST_HELD = 1024;

export function textStream(options: StreamOptions): MaskStream {
  const replacement = options.replacement ?? placeholder;
  const findings: Counts = {};
  let context = '';
  let pending = '';

  const release = (isLast: boolean): string => {
    const all = context + pending;
    const from = context.length;
    const spots = findSpots(all, options, false).filter(({ start }) => start >= from);
    let to = isLast ? all.length : Math.max(from, all.length - HELD);
    const crossing = spots.find(({ start, end }) => start < to && end > to);
    if (crossing) to = all.length - crossing.start > MOST_HELD ? crossing.end : crossing.start;
    const decided = spots.filter(({ end }) => end <= to);
    count(findings, decided);
    const shifted = decided.map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
    const released = replaceSpots(all.slice(from, to), shifted, replacement);
    context = all.slice(Math.max(0, to - CONTEXT), to);
    pending = all.slice(to);
    return released;
  };

  return {
    push(text) {
      pending += text;
      return pending.length < HELD + STEP ? '' : release(false);
    },
    end: () => (pending === '' ? '' : release(true)),
    findings,
  };
}
