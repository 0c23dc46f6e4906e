import type { Invoice } from '@paddock/contract';
import { type CsvCell, csvRow } from '@paddock/contract/csv';

const columns: Record<string, (invoice: Invoice) => CsvCell> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  created_at: ({ created_at }) => created_at,
  text: ({ text }) => text,
  period_start: ({ period_start }) => period_start,
  period_end: ({ period_end }) => period_end,
  amount: ({ amount }) => ({ figure: amount.toFixed(2) }),
  tax: ({ tax }) => ({ figure: tax.toFixed(2) }),
  due: ({ due }) => ({ figure: due.toFixed(2) }),
  currency: () => 'USD',
  status: ({ status }) => status,
  corrects: ({ corrects }) => corrects,
  corrected_by: ({ corrected_by }) => corrected_by,
};
type Names = { buyer_name: string; buyer_tax_id: string };

export const csvHeader = csvRow([...Object.keys(columns), 'buyer_name', 'buyer_tax_id']);
export const csvLine = (invoice: Invoice, { buyer_name, buyer_tax_id }: Names): string =>
  csvRow([...Object.values(columns).map((of) => of(invoice)), buyer_name, buyer_tax_id]);
