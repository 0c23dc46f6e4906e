import * as z from 'zod';

/** This installation's access to Stripe. */
export interface StripeSettings {
  secret_key: string;
  webhook_secret: string;
  /** Address of a fake Stripe, for tests. */
  api_url: string | undefined;
}

/** The schemas of the variables. Messages never repeat a value: it may be a secret. */
export const stripeSecretKey = z
  .string()
  .regex(/^[sr]k_(?:test|live)_\w{8,250}$/, 'must be a secret key (sk_test_… or sk_live_…) or a restricted one (rk_…)')
  .optional();
export const stripeWebhookSecret = z
  .string()
  .regex(/^whsec_[\w+/=]{8,250}$/, 'must be the signing secret of the webhook (whsec_…)')
  .optional();
export const stripeApiUrl = z
  .string()
  .refine(isOrigin, 'must be https:// and a host (http:// only on this machine), without a path')
  .optional();

interface Variables {
  PADDOCK_STRIPE_SECRET_KEY?: string | undefined;
  PADDOCK_STRIPE_WEBHOOK_SECRET?: string | undefined;
  PADDOCK_STRIPE_API_URL?: string | undefined;
}

export function readStripeSettings(env: Variables): StripeSettings | undefined {
  const { PADDOCK_STRIPE_SECRET_KEY: secret_key, PADDOCK_STRIPE_WEBHOOK_SECRET: webhook_secret } = env;
  return secret_key && webhook_secret ? { secret_key, webhook_secret, api_url: env.PADDOCK_STRIPE_API_URL } : undefined;
}

/** Problems of the variables in combination, a line each. */
export function stripeProblems(env: Variables): string[] {
  const { PADDOCK_STRIPE_SECRET_KEY: key, PADDOCK_STRIPE_WEBHOOK_SECRET: secret, PADDOCK_STRIPE_API_URL: url } = env;
  const problems: string[] = [];
  if (!key && (secret || url)) problems.push('PADDOCK_STRIPE_SECRET_KEY: must be set too');
  // Without it results of payments would arrive only by polling.
  if (key && !secret) problems.push('PADDOCK_STRIPE_WEBHOOK_SECRET: must be set too');
  if (url && key?.includes('_live_')) problems.push('PADDOCK_STRIPE_API_URL: takes no live key, which belongs to Stripe alone');
  return problems;
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname));
}
