import { indexOfNumber } from './log-search.ts';
import { countText } from './session/log-counts.ts';
import type { LogSnapshot } from './session/log-snapshot.ts';

/** '3 of 17', '17', 'None', or null without a search. It counts the matches of the whole log, of which only the newest are loaded. */
export function foundText({ filter, found, lines, isLoaded }: LogSnapshot, marked: number | null): string | null {
  if (filter.search === '') return null;
  if (!found || !isLoaded) return '…';
  const levels = filter.levels.length > 0 ? filter.levels : (['debug', 'info', 'warning', 'error'] as const);
  const total = levels.reduce((sum, level) => sum + found.levels[level], 0);
  if (total === 0 && found.isComplete) return 'None';
  const at = marked === null ? lines.length : indexOfNumber(lines, marked);
  const isMatch = lines[at]?.line.number === marked;
  // The last match is loaded, so a position is counted from the end; not possible if older lines were not counted.
  const place = isMatch && found.isComplete ? `${(total - (lines.length - 1 - at)).toLocaleString('en')} of ` : '';
  return `${place}${countText(total, found.isComplete)}`;
}
