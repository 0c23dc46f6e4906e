import { bytesText } from '../../ui/text/bytes.ts';

/**
 * '4.2 GB of 5 GB (84 %)'. Plan limits use powers of 1000, limits of settings powers of 1024; the used amount is shown in the units of its
 * limit.
 */
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
