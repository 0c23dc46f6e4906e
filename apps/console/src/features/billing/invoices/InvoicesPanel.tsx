import type { Invoice } from '@paddock/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge, type Tone } from '../../../ui/feedback/Badge.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';
import { LoadingBilling } from '../plans/WithBilling.tsx';
import { dateText, messages, priceText } from '../words.ts';
import { DetailsCard } from './DetailsCard.tsx';
import { invoicesQuery, useDownload, useExport } from './queries.ts';

/** The invoices and credit notes, and the billing details. */
export function InvoicesPanel() {
  const query = useInfiniteQuery(invoicesQuery);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const rows = data?.pages.flatMap(({ invoices }) => invoices) ?? [];
  return (
    <div className="flex flex-col gap-4">
      <section aria-labelledby="invoice-history">
        <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-2">
          <h2 id="invoice-history" className="text-base font-bold">
            Invoice History
          </h2>
          {rows.length > 0 ? <ExportButton /> : null}
        </div>
        <Loaded query={query} failed={messages.invoices} skeleton={<LoadingBilling />} />
        {data && rows.length === 0 ? <EmptyState>No invoices yet</EmptyState> : null}
        {rows.length > 0 ? <Table broad caption="Invoice History" columns={columns} rows={rows} rowKey={({ id }) => id} /> : null}
        {hasNextPage ? (
          <div className="mt-3">
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load more
            </Button>
          </div>
        ) : null}
      </section>
      <DetailsCard />
    </div>
  );
}

const columns: readonly Column<Invoice>[] = [
  { head: 'Invoice ID', lead: true, cell: ({ id }) => id },
  { head: 'Date', cell: ({ created_at }) => <span className="whitespace-nowrap">{dateText(created_at)}</span> },
  { head: 'For', cell: ({ text }) => text },
  { head: 'Amount', numeric: true, cell: ({ amount }) => <span className="tabular-nums">{priceText(amount)}</span> },
  { head: 'Status', cell: (invoice) => <Status of={invoice} /> },
  { head: 'Actions', cell: ({ id }) => <Download id={id} /> },
];

/** Paid is shown as success, all other states as default (spec, section 3). */
const looks: Record<Invoice['status'], { word: string; tone: Tone; glyph: GlyphName }> = {
  paid: { word: 'Paid', tone: 'success', glyph: 'tick' },
  open: { word: 'Open', tone: 'neutral', glyph: 'ring' },
  taken_back: { word: 'Reversed', tone: 'neutral', glyph: 'bar' },
  written_off: { word: 'Written off', tone: 'neutral', glyph: 'bar' },
  credited: { word: 'Credited', tone: 'neutral', glyph: 'disc' },
};

function Status({ of: { status, corrects, corrected_by } }: { of: Invoice }) {
  const { word, ...look } = looks[status];
  const other = corrected_by ? `by ${corrected_by}` : corrects && `for ${corrects}`;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge {...look}>{word}</Badge>
      {other ? <span className="text-sm text-muted">{other}</span> : null}
    </span>
  );
}

function Download({ id }: { id: string }) {
  const download = useDownload(id);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button variant="quiet" busy={download.isPending} onClick={() => download.mutate()} aria-label={`Download PDF of ${id}`}>
        Download PDF
      </Button>
      <FormError>{failureText(download.error, messages.download)}</FormError>
    </span>
  );
}

function ExportButton() {
  const file = useExport();
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <FormError>{failureText(file.error, messages.download)}</FormError>
      <Button busy={file.isPending} onClick={() => file.mutate()}>
        Export CSV
      </Button>
    </span>
  );
}
