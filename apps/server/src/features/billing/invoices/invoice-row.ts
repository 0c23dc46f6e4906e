import type { Line } from '@paddock/billing';

/** Amounts in whole cents, as in the billing package; quantities as strings. */
interface StoredBill {
  lines: (Omit<Line, 'quantity'> & { quantity?: string })[];
  sum_cents: number;
  credit_cents: number;
  tax_cents: number;
  total_cents: number;
  prepaid_cents: number;
  due_cents: number;
}

/** A seller or a buyer as stored in documents. Older ones may lack newer fields. */
export interface StoredParty {
  name?: string;
  email?: string;
  address?: string[];
  postal_code?: string;
  city?: string;
  country?: string;
  tax_id?: string;
}

/** A document as it is stored, with facts from the ledger and the account. */
export interface DocumentRow {
  id: string;
  number: number;
  kind: 'invoice' | 'credit_note';
  at: string;
  bill: StoredBill;
  tax_basis_points: number;
  seller: StoredParty & { tax_label?: string; is_test?: boolean };
  buyer: StoredParty;
  /** Numbers of the invoice that this credit note reverses, and of the credit note that reverses this invoice. */
  corrects: number | null;
  corrected_by: number | null;
  is_open: boolean;
  is_written_off: boolean;
}
