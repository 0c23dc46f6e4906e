import type { Config } from '../../../config/config.ts';
import type { Core, Feature } from '../../../core.ts';
import { pdfMaker } from './pdf/make-pdf.ts';
import { invoiceRoutes } from './routes.ts';
import { invoiceStore } from './store.ts';
import { toInvoiceDetail } from './to-invoice.ts';

/** The seller's details that every document stores. */
interface Seller {
  name: string;
  address: string[];
  email: string;
  tax_id: string;
  tax_label: string;
  is_test: boolean;
}
interface DocumentFacts {
  seller: Seller;
  tax_basis_points: number;
}

/** A PDF to attach to a mail, by the id of its document; undefined: there is no such document. */
type RenderPdf = (document_id: string) => Promise<{ file_name: string; content_type: string; bytes: Buffer } | undefined>;

interface Exports {
  /** Facts stored with each document. */
  documentFacts: () => DocumentFacts;
  renderPdf: RenderPdf;
}

/** Mails share the PDF slots with teams like one more team: few are sent at a time. */
const mails = 'mails';

/** Invoices for people: their calls, the facts stored with each, and the PDFs attached to mails. `is_test`: no money is moved. */
export function invoiceFeature(
  { sql, log, config }: Pick<Core, 'sql' | 'log' | 'config'>,
  { is_test }: { is_test: boolean },
): Feature<Exports> {
  const store = invoiceStore(sql);
  const makePdf = pdfMaker(log);
  return {
    routes: [invoiceRoutes({ store, makePdf })],
    jobs: [],
    exports: {
      documentFacts: () => documentFacts(config.billing, is_test),
      async renderPdf(document_id) {
        const row = await store.byId(document_id);
        if (!row) return undefined;
        const invoice = toInvoiceDetail(row);
        return { file_name: `${invoice.id}.pdf`, content_type: 'application/pdf', bytes: await makePdf(mails, invoice) };
      },
    },
  };
}

/** Facts stored with each document, from the current configuration. `is_test`: the provider moves no money. */
const documentFacts = ({ seller, tax }: Config['billing'], is_test: boolean): DocumentFacts => ({
  seller: { ...seller, tax_label: tax.label, is_test },
  tax_basis_points: tax.basis_points,
});
