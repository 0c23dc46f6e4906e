import type { Zone } from '../../ui/preferences/zone.ts';

/** Before it no record was written: a year that is still being typed. */
const firstYear = 2000;
const two = (number: number) => String(number).padStart(2, '0');

/** A moment of the address as a field for date and time holds it, in the zone in which the page tells times. */
export function fieldText(moment: string | undefined, zone: Zone): string {
  if (moment === undefined) return '';
  const at = new Date(moment);
  if (zone === 'utc') return at.toISOString().slice(0, 16);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** What was written into such a field as a moment; undefined while it is none. */
export function momentOf(text: string, zone: Zone): string | undefined {
  const at = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(at) || new Date(at).getUTCFullYear() < firstYear ? undefined : new Date(at).toISOString();
}
