import type { InvoiceDetail, UsageOfMonth } from '@paddock/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

afterEach(() => void vi.useRealTimers());

function demo(at: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  const world = createDemoWorld();
  return { world, api: demoApi(world) };
}
type Api = ReturnType<typeof demo>['api'];

async function invoicesOf(api: Api): Promise<InvoiceDetail[]> {
  const { invoices } = await api.invoices.list({});
  return Promise.all(invoices.map(({ id }) => api.invoices.get({ id })));
}
const monthOfLine = ({ period_start }: InvoiceDetail['lines'][number]) => period_start?.slice(0, 7);
const usageOn = (month: string, invoices: readonly InvoiceDetail[]) =>
  invoices.flatMap(({ lines }) => lines.filter((line) => line.unit !== null && monthOfLine(line) === month));

/** The values of a month that an invoice must contain. */
const costsOf = ({
  compute_cost,
  bandwidth_cost,
  database_storage_cost,
  compute_hours,
  bandwidth_gb,
  database_storage_gb,
}: UsageOfMonth) => [
  { text: 'Compute', amount: compute_cost, quantity: compute_hours },
  { text: 'Bandwidth', amount: bandwidth_cost, quantity: bandwidth_gb },
  { text: 'Database storage', amount: database_storage_cost, quantity: database_storage_gb },
];

test.each(['2026-11-26T15:00:00Z', '2026-11-05T01:00:00Z', '2027-03-12T00:30:00Z', '2026-12-31T23:00:00Z', '2027-07-11T12:00:00Z'])(
  'each month of usage that was closed before the renewal is on one invoice, with the same sums (%s)',
  async (at) => {
    const { api } = demo(at);
    const { usage } = await api.usage.list({});
    const invoices = await invoicesOf(api);
    const renewedAt = invoices[0]?.created_at ?? '';
    const closed = usage.filter(({ closed_at }) => closed_at !== null);
    expect(closed.length).toBeGreaterThan(1);
    for (const month of usage) {
      const isDue = month.closed_at !== null && month.closed_at <= renewedAt;
      const lines = usageOn(month.month, invoices).map(({ text, amount, quantity }) => ({ text, amount, quantity }));
      expect(lines, month.month).toEqual(isDue ? costsOf(month) : []);
      expect(invoices.filter(({ text }) => text.endsWith(`usage of ${month.month}`))).toHaveLength(isDue ? 1 : 0);
    }
  },
);

test('the lines of an invoice add up, its credit was given before, and the notice tells what the renewal cost', async () => {
  const { api } = demo('2026-11-26T15:00:00Z');
  const invoices = await invoicesOf(api);
  for (const { lines, subtotal, credit_used, amount } of invoices) {
    expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBeCloseTo(subtotal, 6);
    expect(subtotal - credit_used).toBeCloseTo(amount, 6);
  }
  const [renewal, note] = invoices;
  expect(note).toMatchObject({ kind: 'credit_note', amount: -(renewal?.credit_used ?? 0) });
  expect(renewal?.credit_used).toBeGreaterThan(0);
  const { notices } = await api.billing.subscription({});
  expect(notices[0]?.text).toContain(`$${renewal?.due.toFixed(2)} were paid`);
});

test('what is deployed or deleted in the demo changes no closed month', async () => {
  const { world, api } = demo('2026-11-26T15:00:00Z');
  const before = (await api.usage.list({})).usage.filter(({ closed_at }) => closed_at !== null);
  for (const { row } of world.deployments) if (row.status === 'active') row.status = 'stopped';
  world.projects.splice(0, 1);
  const after = (await api.usage.list({})).usage.filter(({ closed_at }) => closed_at !== null);
  expect(after).toEqual(before);
});
