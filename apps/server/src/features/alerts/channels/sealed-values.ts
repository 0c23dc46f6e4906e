import type { Seal, Sealed } from '../../../secrets/seal.ts';

/** The sealed values of a channel. */
export interface Values {
  url: string;
  /** Signs the messages of webhooks. */
  secret?: string;
  /** The previous secret, which also signs until that time. */
  previous?: { secret: string; until: string };
}

const contextOf = (channel_id: string) => `channel:${channel_id}`;

export const sealValues = (seal: Seal, channel_id: string, values: Values): Sealed =>
  seal.seal(JSON.stringify(values), contextOf(channel_id));

export const openValues = (seal: Seal, channel_id: string, { sealed, key_id }: Sealed): Values =>
  JSON.parse(seal.open({ sealed, key_id }, contextOf(channel_id))) as Values;

/** The secrets that sign at this time, the newest first. */
export const secretsAt = ({ secret, previous }: Values, at: Date): string[] => {
  const before = previous && new Date(previous.until) > at ? [previous.secret] : [];
  return [...(secret === undefined ? [] : [secret]), ...before];
};

/** Anybody who knows the URL of a Slack channel can post there, so it is displayed without its path, except for the last characters. */
export function maskedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const rest = pathname + search;
  return rest.length > 12 ? `${origin}/…${rest.slice(-4)}` : `${origin}/…`;
}
