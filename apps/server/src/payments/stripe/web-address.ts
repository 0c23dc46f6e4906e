import { PaymentRefused } from '../provider.ts';

/** Returns an http(s) address. Throws for any other text. */
export function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new PaymentRefused('Stripe gave no address of a page.');
}
