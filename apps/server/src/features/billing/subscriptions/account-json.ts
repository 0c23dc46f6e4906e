import { type Account, type Bill, type Status, statuses } from '@paddock/billing';
import { planIds } from '@paddock/contract/plans';
import * as z from 'zod';

const cents = z.int();
const count = z.int().min(0);
const plan = z.enum(planIds);
const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);
/** Byte-hours exceed the safe integers of JSON. */
const quantity = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);

const line = z.strictObject({
  kind: z.enum(['plan', 'proration', 'compute', 'bandwidth', 'storage']),
  text: z.string(),
  cents,
  plan: plan.exactOptional(),
  period: z.strictObject({ start: z.int(), end: z.int() }).exactOptional(),
  month: month.exactOptional(),
  quantity: quantity.exactOptional(),
});
const bill = z.strictObject({
  lines: z.array(line),
  sum_cents: cents,
  credit_cents: cents,
  tax_cents: cents,
  total_cents: cents,
  prepaid_cents: cents,
  due_cents: cents,
});
const usage = z.array(z.strictObject({ month, quantities: z.strictObject({ compute: quantity, bandwidth: quantity, storage: quantity }) }));

const account = z.strictObject({
  team_id: z.string(),
  status: z.enum(Object.keys(statuses) as Status[]),
  plan: plan.nullable(),
  anchor: z.int().nullable(),
  period: count,
  switches: count,
  wanted: plan.nullable(),
  open: z.strictObject({ id: z.string(), is_draft: z.boolean(), since: z.int(), attempt: count, retries: count, bill, usage }).nullable(),
  usage,
  closed_through: month.nullable(),
  credit_cents: cents,
  prepaid_cents: cents,
});

/** The JSON form of an account, a bill or its parts: quantities become strings. */
export const toJson = (value: Account | Bill): unknown =>
  JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part)));

/** Throws for values unknown to this release, which would handle the next event wrongly. */
export const accountFrom = (json: unknown): Account => account.parse(json);
export const billFrom = (json: unknown): Bill => bill.parse(json);
