import type { Config } from '../../../config.ts';

/** The seller's details that every document stores. */
export interface Seller {
  name: string;
  address: string[];
  email: string;
  tax_id: string;
  tax_label: string;
  is_test: boolean;
}
export interface DocumentFacts {
  seller: Seller;
  tax_basis_points: number;
}

/** Facts stored with each document, from the current configuration. `is_test`: the provider moves no money. */
export const documentFacts = ({ seller, tax }: Config['billing'], is_test: boolean): DocumentFacts => ({
  seller: { ...seller, tax_label: tax.label, is_test },
  tax_basis_points: tax.basis_points,
});
