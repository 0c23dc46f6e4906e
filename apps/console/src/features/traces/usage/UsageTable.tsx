import { countText, dollarText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { PageLink } from '../../../navigation/links.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import type { UsageGroup } from './sum-usage.ts';

interface Props {
  /** Describes the table for screen readers. */
  caption: string;
  /** The head of the first column. */
  head: string;
  groups: readonly UsageGroup[];
  nameOf: (group: UsageGroup) => string;
}

/** Calls, tokens and cost of models or of agents. */
export function UsageTable({ caption, head, groups, nameOf }: Props) {
  const columns: Column<UsageGroup>[] = [
    { head, lead: true, cell: (group) => <span className="wrap-anywhere">{nameOf(group)}</span> },
    { head: 'Calls', numeric: true, cell: ({ calls }) => countText(calls) },
    { head: 'Input tokens', numeric: true, cell: ({ input_tokens }) => countText(input_tokens) },
    { head: 'Of them cached', numeric: true, cell: ({ cached_tokens }) => countText(cached_tokens) },
    { head: 'Output tokens', numeric: true, cell: ({ output_tokens }) => countText(output_tokens) },
    { head: 'Cost', numeric: true, cell: (group) => costText(group) },
  ];
  return <Table caption={caption} columns={columns} rows={groups} rowKey={({ key }) => key} compact />;
}

/** Tokens without a price have an unknown cost, which is not zero. */
const costText = ({ cost_usd, input_tokens, output_tokens }: UsageGroup) =>
  cost_usd === null && input_tokens + output_tokens > 0 ? 'no price' : dollarText(cost_usd);

/** Maximum number of models named; further ones are counted. */
const maxNamed = 5;

/** Names the models without a price, whose tokens the cost is without. */
export function UnpricedNote({ models }: { models: readonly string[] }) {
  if (models.length === 0) return null;
  const named = models.slice(0, maxNamed).map((model) => shownText(model, 60));
  const more = models.length - named.length;
  return (
    <p className="max-w-text text-sm wrap-anywhere text-muted">
      The cost is without {named.join(', ')}
      {more > 0 ? ` and ${more} more` : ''}: no price is known.{' '}
      <PageLink to="/settings" search={{ tab: 'model-prices' }}>
        Set model prices
      </PageLink>
    </p>
  );
}
