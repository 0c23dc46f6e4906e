import type { Trace } from '@paddock/contract';
import { countText, latencyText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { PageLink } from '../../navigation/links.tsx';
import { Badge } from '../../ui/feedback/Badge.tsx';
import { type Column, Table } from '../../ui/layout/Table.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { CostText } from './CostText.tsx';
import { modelsText } from './models-text.ts';
import { statusLooks, tokensText } from './words.ts';

interface Props {
  rows: readonly Trace[];
  /** The search parameters of the page that shows a trace. */
  searchOf: (traceId: string) => Record<string, unknown>;
}

export function TracesTable({ rows, searchOf }: Props) {
  const columns: Column<Trace>[] = [
    {
      head: 'Trace',
      lead: true,
      cell: ({ name, trace_id }) => (
        <span className="wrap-anywhere">
          <PageLink to="." search={searchOf(trace_id)} resetScroll>
            {shownText(name, 80) || 'Unnamed'}
          </PageLink>
        </span>
      ),
    },
    { head: 'When', cell: ({ started_at }) => <Timestamp at={started_at} /> },
    { head: 'Duration', numeric: true, cell: ({ duration_ms }) => <Whole text={latencyText(duration_ms)} /> },
    {
      head: 'Status',
      cell: ({ status }) => {
        const { tone, glyph, word } = statusLooks[status];
        return (
          <Badge tone={tone} glyph={glyph}>
            {word}
          </Badge>
        );
      },
    },
    { head: 'Spans', numeric: true, cell: ({ span_count }) => countText(span_count) },
    { head: 'Tokens', cell: (trace) => <Whole text={tokensText(trace)} /> },
    { head: 'Cost', cell: (trace) => <CostText cost={trace} /> },
    { head: 'Models', cell: ({ models }) => <span className="wrap-anywhere text-muted">{modelsText(models, 1)}</span> },
  ];
  return <Table caption="Traces" broad columns={columns} rows={rows} rowKey={({ trace_id }) => trace_id} />;
}

const Whole = ({ text }: { text: string }) => <span className="whitespace-nowrap">{text}</span>;
