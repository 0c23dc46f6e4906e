import type { Stripe } from 'stripe';
import type { StripeSettings } from '../settings.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** API version of all requests, whatever the account's default version is. */
const apiVersion = '2026-10-28.endive';
/** Timeout of one attempt of a request; there are two attempts. */
const maxRequestMs = 10_000;

export type StripeClient = () => Promise<Stripe>;

/** Stripe's library. It is large and most installations do not use it, so it is loaded at its first use. */
export function stripeClient({ secret_key, api_url }: StripeSettings, timeoutMs = maxRequestMs): StripeClient {
  let made: Promise<Stripe> | undefined;
  const make = async () => {
    const { default: Client } = await import('stripe');
    return new Client(secret_key, {
      apiVersion,
      timeout: timeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
      httpClient: Client.createFetchHttpClient(boundedFetch),
      ...(api_url === undefined ? {} : parseOrigin(api_url)),
    });
  };
  return () => (made ??= make());
}

function parseOrigin(text: string) {
  const { hostname, port, protocol } = new URL(text);
  return protocol === 'http:'
    ? { host: hostname, port: port || '80', protocol: 'http' as const }
    : { host: hostname, port: port || '443', protocol: 'https' as const };
}
