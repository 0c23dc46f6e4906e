import type { Line } from '@paddock/billing';

/** Amounts in whole cents, as the package of billing has them; quantities as texts. */
interface StoredBill {
  lines: (Omit<Line, 'quantity'> & { quantity?: string })[];
  sum_cents: number;
  credit_cents: number;
  tax_cents: number;
  total_cents: number;
  prepaid_cents: number;
  due_cents: number;
}

/** What documents keep of a seller or a buyer. Older ones may lack what came later. */
export interface StoredParty {
  name?: string;
  email?: string;
  address?: string[];
  postal_code?: string;
  city?: string;
  country?: string;
  tax_id?: string;
}

/** A document as it is stored, and what the ledger and the account say of it. */
export interface DocumentRow {
  id: string;
  number: number;
  kind: 'invoice' | 'credit_note';
  at: string;
  bill: StoredBill;
  tax_basis_points: number;
  seller: StoredParty & { tax_label?: string; is_test?: boolean };
  buyer: StoredParty;
  /** Numbers of the invoice that this credit note takes back, and of the credit note that takes this invoice back. */
  corrects: number | null;
  corrected_by: number | null;
  is_open: boolean;
  is_written_off: boolean;
}
