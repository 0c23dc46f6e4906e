// Writes something in place of values so that JSON around them keeps valid.
import type { Spot } from './find.ts';
import type { Replacement } from './redact.ts';

export function replaceSpots(text: string, spots: readonly Spot[], replacement: Replacement): string {
  let masked = '';
  let from = 0;
  for (const spot of spots) {
    if (spot.start < from) continue; // a number without quotes that held two values
    masked += text.slice(from, spot.start) + written(spot, replacement(spot.type, spot.value) + spot.sequences);
    from = spot.end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Escaped once for each string of JSON that the value stands in; a number becomes a string. */
export function written({ isBare, levels }: Pick<Spot, 'isBare' | 'levels'>, replaced: string): string {
  let escaped = isBare ? JSON.stringify(replaced) : replaced;
  for (let level = 0; level < levels; level++) escaped = JSON.stringify(escaped).slice(1, -1);
  return escaped;
}
