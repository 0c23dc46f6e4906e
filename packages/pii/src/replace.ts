// Replaces values so that the JSON around them stays valid.
import type { Spot } from './find.ts';
import type { Replacement } from './redact.ts';

export function replaceSpots(text: string, spots: readonly Spot[], replacement: Replacement): string {
  let masked = '';
  let from = 0;
  for (const spot of spots) {
    if (spot.start < from) continue; // a number without quotes that contained two values
    masked += text.slice(from, spot.start) + written(spot, replacement(spot.type, spot.value) + spot.sequences);
    from = spot.end;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Escapes the text once for each JSON string around the value. A number becomes a string. */
export function written({ isBare, levels }: Pick<Spot, 'isBare' | 'levels'>, replaced: string): string {
  let escaped = isBare ? JSON.stringify(replaced) : replaced;
  for (let level = 0; level < levels; level++) escaped = JSON.stringify(escaped).slice(1, -1);
  return escaped;
}
