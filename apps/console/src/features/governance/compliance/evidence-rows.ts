import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';

const maxRows = 12;
const maxLetters = 200;

/** The evidence as readable names and values; for nested values only the number of members. */
export function evidenceRows(evidence: unknown): [name: string, value: string][] {
  if (evidence === null || typeof evidence !== 'object') return [['value', valueText(evidence)]];
  return Object.entries(evidence)
    .slice(0, maxRows)
    .map(([name, value]) => [shownText(name, 60).replaceAll('_', ' '), valueText(value)]);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'string') return shownText(value, maxLetters);
  if (Array.isArray(value)) {
    const isFlat = value.every((each) => typeof each !== 'object');
    return isFlat
      ? shownText(value.slice(0, 20).map(valueText).join(', '), maxLetters) || 'none'
      : plural(value.length, 'entry', 'entries');
  }
  return plural(Object.keys(value).length, 'field');
}
