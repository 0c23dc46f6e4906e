import type { ModelPrices } from '@paddock/contract';
import { exactDollarText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { absoluteDate } from '../../../ui/text/time.ts';
import { Icon } from '../../../ui/theme/Icon.tsx';
import type { Acting } from './PriceDialogs.tsx';
import { modelPricesQuery } from './queries.ts';

const PriceDialogs = lazy(() => import('./PriceDialogs.tsx').then((module) => ({ default: module.PriceDialogs })));

type Price = ModelPrices['model_prices'][number];

interface Props {
  /** Whether the form for a new price is open; the page keeps this state in its address. */
  creating: boolean;
  onCreating: (open: boolean) => void;
}

/** Token prices of each model: the defaults and the team's own. */
export function ModelPricesPanel({ creating, onCreating }: Props) {
  const query = useQuery(modelPricesQuery);
  const { data } = query;
  const [acting, setActing] = useState<Acting>();
  const [sought, setSought] = useState('');
  const all = data?.model_prices ?? [];
  const rows = all.filter(({ model }) => model.toLowerCase().includes(sought.trim().toLowerCase()));
  const taken = all.filter(({ is_default }) => !is_default).map(({ model }) => model);
  return (
    <section aria-labelledby="model-prices">
      <h2 id="model-prices" className="mb-1 text-md font-bold">
        Model prices
      </h2>
      <p className="mb-4 max-w-text text-muted">
        US dollars per million tokens of a model and its dated versions. All costs, including those of earlier traces, use the current
        prices.
        {data
          ? ` Defaults are from ${absoluteDate(Date.parse(data.defaults_from), 'utc')}; providers may have changed theirs. Your prices take precedence.`
          : ''}
      </p>
      <Loaded query={query} failed="The prices could not be loaded. Nothing was changed." isSpaced skeleton={<Skeleton rows={6} />}>
        {() => (
          <>
            <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
              <span role="search" className="min-w-0 grow basis-48 sm:max-w-72">
                <Input
                  type="search"
                  aria-label="Find a model"
                  placeholder="Find a model"
                  value={sought}
                  onChange={(event) => setSought(event.target.value)}
                />
              </span>
              <span className="ml-auto">
                <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => onCreating(true)}>
                  Add price
                </Button>
              </span>
            </div>
            {rows.length > 0 ? (
              <Table
                caption="Model prices"
                broad
                columns={columns((on, wish) => setActing({ on, wish }))}
                rows={rows}
                rowKey={({ model }) => model}
              />
            ) : (
              <p className="border border-border bg-surface p-3.5 text-muted">
                No matching models. A model without a price shows ‘no price’ in traces.
              </p>
            )}
          </>
        )}
      </Loaded>
      <Suspense fallback={null}>
        {creating ? <PriceDialogs wish="edit" taken={taken} onClose={() => onCreating(false)} /> : null}
        {acting ? <PriceDialogs {...acting} taken={taken} onClose={() => setActing(undefined)} /> : null}
      </Suspense>
    </section>
  );
}

function columns(act: (on: Price, wish: 'edit' | 'remove') => void): Column<Price>[] {
  return [
    { head: 'Model', lead: true, cell: ({ model }) => <span className="font-mono text-mono wrap-anywhere">{shownText(model, 128)}</span> },
    { head: 'Input', numeric: true, cell: ({ input_usd }) => exactDollarText(input_usd) },
    { head: 'Cached input', numeric: true, cell: ({ cached_input_usd }) => <Cached usd={cached_input_usd} /> },
    { head: 'Cache write', numeric: true, cell: ({ cache_write_usd }) => <Cached usd={cache_write_usd} /> },
    { head: 'Output', numeric: true, cell: ({ output_usd }) => exactDollarText(output_usd) },
    {
      head: 'Price',
      cell: ({ is_default }) =>
        is_default ? (
          <Badge tone="neutral" glyph="ring">
            Default
          </Badge>
        ) : (
          <Badge tone="info" glyph="disc">
            Yours
          </Badge>
        ),
    },
    {
      head: 'Actions',
      quiet: true,
      cell: (on) => (
        <span className="flex flex-wrap justify-end gap-2">
          <Button variant="quiet" aria-label={`Edit the price of ${on.model}`} onClick={() => act(on, 'edit')}>
            Edit
          </Button>
          {on.is_default ? null : (
            <Button variant="quiet" aria-label={`Remove your price of ${on.model}`} onClick={() => act(on, 'remove')}>
              Remove
            </Button>
          )}
        </span>
      ),
    },
  ];
}

const Cached = ({ usd }: { usd: number | null }) => (usd === null ? <span className="text-muted">as input</span> : exactDollarText(usd));
