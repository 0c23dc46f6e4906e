import { ApiError } from '@paddock/contract';

export interface DatabaseUrls {
  redis_url?: string | undefined;
  postgres_url?: string | undefined;
}

/** Checks the form of the addresses that somebody brings along. Empty ones mean none; at least one must be there. */
export function checkedUrls({ redis_url, postgres_url }: DatabaseUrls): DatabaseUrls {
  const errors = [
    ...problem('redis_url', redis_url, ['redis:', 'rediss:'], 'Give a URL such as redis://user:password@host:6379'),
    ...problem(
      'postgres_url',
      postgres_url,
      ['postgres:', 'postgresql:'],
      'Give a URL such as postgres://user:password@host:5432/database',
    ),
  ];
  if (!redis_url && !postgres_url) errors.push({ path: 'postgres_url', message: 'Give a PostgreSQL URL, a Redis URL, or both' });
  if (errors.length) throw new ApiError('input_invalid', { errors, detail: errors.map((error) => error.message).join('; ') });
  return { redis_url: redis_url || undefined, postgres_url: postgres_url || undefined };
}

function problem(path: string, url: string | undefined, schemes: string[], message: string) {
  if (!url) return [];
  const parsed = URL.parse(url);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: line ends in a URL would reach drivers as commands
  return parsed && schemes.includes(parsed.protocol) && parsed.hostname && !/[\u0000-\u0020]/.test(url) ? [] : [{ path, message }];
}
