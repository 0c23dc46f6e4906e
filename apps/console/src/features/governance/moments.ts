import type { Zone } from '../../ui/preferences/zone.ts';

/** No record is older; an earlier year is one that is still being typed. */
const firstYear = 2000;
const two = (number: number) => String(number).padStart(2, '0');

/** A moment from the address in the format of a datetime field, in the page's time zone. */
export function fieldText(moment: string | undefined, zone: Zone): string {
  if (moment === undefined) return '';
  const at = new Date(moment);
  if (zone === 'utc') return at.toISOString().slice(0, 16);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment typed into a datetime field; undefined while it is invalid. */
export function parseMoment(text: string, zone: Zone): string | undefined {
  const at = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(at) || new Date(at).getUTCFullYear() < firstYear ? undefined : new Date(at).toISOString();
}
