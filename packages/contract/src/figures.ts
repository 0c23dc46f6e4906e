/** Figures as the console and the command-line tool write them (spec, section 9). Null, written as '–', means that nothing was measured. */

const none = '–';

/** 999, 1.2K, 34M: at most three digits, without a trailing zero decimal. */
export function countText(count: number | null): string {
  if (count === null) return none;
  if (count < 1000) return short(count);
  const [unit, name] = count < 999_500 ? [1e3, 'K'] : [1e6, 'M'];
  return `${short(count / unit)}${name}`;
}

/** 12 ms below a second, 1.23 s above. */
export function latencyText(ms: number | null): string {
  if (ms === null) return none;
  return ms < 999.5 ? `${short(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** The percentage of a share from 0 to 1. */
export const shareText = (share: number | null): string => (share === null ? none : `${short(share * 100)} %`);
export const percentText = (percent: number | null): string => (percent === null ? none : `${short(percent)} %`);

/** Uses 2 decimals, as the spec requires. */
export function dollarText(dollars: number | null): string {
  if (dollars === null) return none;
  return dollars === 0 || dollars >= 0.01 ? `$${dollars.toFixed(2)}` : '< $0.01';
}

/** The exact amount if `dollarText` rounds it, e.g. for one call of a model. */
export const exactDollarText = (dollars: number): string =>
  `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 12 })}`;

/** A number with the given decimals, truncated instead of rounded, so that a figure just below a bound does not appear to reach it. */
export function cutText(value: number, decimals = 0): string {
  const rounded = Number(value.toFixed(decimals));
  return (rounded > value ? rounded - 10 ** -decimals : rounded).toFixed(decimals);
}

/** A figure above a threshold, for a sentence that names both: 'just over 5 %' if both would have the same text. */
export function beyondText(value: number, threshold: number, text: (value: number) => string): string {
  const shown = text(value);
  return shown === text(threshold) ? `just over ${shown}` : shown;
}

/** Uses 1 decimal below 100, unless it is 0. Shares just below 100 are not rounded to 100. */
function short(value: number): string {
  if (value >= 99.95 && value < 100) return value.toFixed(2) === '100.00' ? '99.99' : value.toFixed(2);
  const digits = Math.abs(value) < 100 ? 1 : 0;
  return value.toFixed(digits).replace(/\.0$/, '');
}
