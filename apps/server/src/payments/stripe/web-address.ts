import { PaymentRefused } from '../provider.ts';

/** An address that a browser opens as a page. Throws for what else a stranger might call one. */
export function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new PaymentRefused('Stripe gave no address of a page.');
}
