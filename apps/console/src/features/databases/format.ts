const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** '840 B', '12.4 MB', '5 GB': one decimal, none where it would be a zero. */
export function bytesText(bytes: number, base: 1000 | 1024 = 1024): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(base)));
  // A value that rounds up to 1024 is shown in the next unit.
  const at = power < units.length - 1 && oneDecimal(bytes / base ** power) >= base ? power + 1 : power;
  const size = bytes / base ** at;
  return `${at === 0 ? Math.round(size) : oneDecimal(size)} ${units[at]}`;
}

/** '4.2 GB of 5 GB (84 %)'. Limits of plans are given in 1000s, those of settings in 1024s; what is used is told as its limit is. */
export function usedText(bytes: number, limit: number): string {
  const base = Number.isInteger(limit / 1024 ** 2) ? 1024 : 1000;
  return `${bytesText(bytes, base)} of ${bytesText(limit, base)} (${Math.floor((bytes / limit) * 100)} %)`;
}

/** '950', '12.4K', '3M': as the spec abbreviates numbers. Fractions below ten keep one decimal. */
export function countText(count: number): string {
  if (count < 10) return String(oneDecimal(count));
  if (Math.round(count) < 1000) return String(Math.round(count));
  return oneDecimal(count / 1000) < 1000 ? `${oneDecimal(count / 1000)}K` : `${oneDecimal(count / 1_000_000)}M`;
}

/** 0 to 1 as '98.4 %'. */
export const shareText = (share: number): string => `${oneDecimal(share * 100)} %`;

const oneDecimal = (value: number) => Math.round(value * 10) / 10;
