import * as z from 'zod';

/** A text printed on invoices: one line of visible characters. */
const visible = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(most)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text), 'must be one line of visible text');

/** Lines are separated by | or a line break. */
const splitLines = (text: string) =>
  text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Environment variables for invoices. */
export const sellerSettings = {
  PADDOCK_SELLER_NAME: visible(200).default('Paddock'),
  PADDOCK_SELLER_ADDRESS: z
    .string()
    .max(1000)
    .transform(splitLines)
    .pipe(z.array(visible(100)).max(6, 'must have at most 6 lines'))
    .default([]),
  PADDOCK_SELLER_EMAIL: z
    .string()
    .max(254)
    .regex(/^[^\s@,;<>]+@[^\s@,;<>]+$/, 'must be an e-mail address')
    .default(''),
  PADDOCK_SELLER_TAX_ID: visible(40).default(''),
  PADDOCK_TAX_PERCENT: z
    .string()
    .regex(/^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/, 'must be a number from 0 to 100 with at most two decimals, such as 19 or 8.25')
    .default('0'),
  PADDOCK_TAX_LABEL: visible(30).default('VAT'),
};

/** The seller and the tax, as stored in every invoice. */
export const readSellerSettings = (env: { [N in keyof typeof sellerSettings]: z.output<(typeof sellerSettings)[N]> }) => ({
  seller: {
    name: env.PADDOCK_SELLER_NAME,
    address: env.PADDOCK_SELLER_ADDRESS,
    email: env.PADDOCK_SELLER_EMAIL,
    tax_id: env.PADDOCK_SELLER_TAX_ID,
  },
  tax: { basis_points: parseBasisPoints(env.PADDOCK_TAX_PERCENT), label: env.PADDOCK_TAX_LABEL },
});

/** Converts digits: 8.25 becomes 825, without a float in between. */
function parseBasisPoints(percent: string): number {
  const [whole = '0', decimals = ''] = percent.split('.');
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}
