import { PaymentRefused } from '../provider.ts';

/** A URL that a browser opens as a page. Throws for other schemes, which a stranger might supply. */
export function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new PaymentRefused('Stripe gave no address of a page.');
}
