import type { ModelProvider, SeenProvider } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Loaded } from '../../../../api/Loaded.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Badge } from '../../../../ui/feedback/Badge.tsx';
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { type Column, Table } from '../../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../../ui/text/Timestamp.tsx';
import { Icon } from '../../../../ui/theme/Icon.tsx';
import { agreementWords, providersQuery } from './model-providers.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { RemoveProvider } from './RemoveProvider.tsx';

const maxShown = 20;

/** The open action: on an entry of the register, or adding one with this name. */
type Acting = { wish: 'edit' | 'remove'; on: ModelProvider } | { wish: 'add'; name: string };

/** The model providers that the team allows, and those that agents called although they are not in the register. */
export function ModelProviders() {
  const query = useQuery(providersQuery);
  const [acting, setActing] = useState<Acting>();
  const { providers = [], seen = [] } = query.data ?? {};
  const unlisted = seen.filter(({ register }) => register === null);
  const close = () => setActing(undefined);
  return (
    <Card
      title="Model Providers"
      actions={
        <Button icon={<Icon of={Plus} />} onClick={() => setActing({ wish: 'add', name: '' })}>
          Add provider
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-text text-sm text-muted">
          The register of providers that agents may call. A control compares it with the traces.
        </p>
        <Loaded query={query} failed="The register could not be loaded. Nothing was changed." skeleton={<Skeleton rows={3} />} />
        {query.data && providers.length === 0 ? <p>No providers yet.</p> : null}
        {providers.length > 0 ? (
          <Table caption="Model providers" broad columns={columns(setActing)} rows={providers} rowKey={({ provider }) => provider} />
        ) : null}
        {query.data ? <Unlisted of={unlisted} hasSeen={seen.length > 0} onAdd={(name) => setActing({ wish: 'add', name })} /> : null}
      </div>
      {acting?.wish === 'remove' ? <RemoveProvider name={acting.on.provider} onClose={close} /> : null}
      {acting?.wish === 'edit' ? <ProviderForm first={acting.on} onClose={close} /> : null}
      {acting?.wish === 'add' ? <ProviderForm name={acting.name} onClose={close} /> : null}
    </Card>
  );
}

const columns = (act: (acting: Acting) => void): Column<ModelProvider>[] => [
  { head: 'Provider', lead: true, cell: ({ provider }) => <span className="wrap-anywhere">{shownText(provider, 100)}</span> },
  { head: 'Region', cell: ({ region }) => shownText(region, 100) || '–' },
  {
    head: 'Agreement',
    cell: ({ agreement }) => (
      <Badge tone={agreement === 'none' ? 'warning' : 'success'} glyph={agreement === 'none' ? 'triangle' : 'tick'}>
        {agreementWords[agreement]}
      </Badge>
    ),
  },
  { head: 'Note', cell: ({ note }) => <span className="wrap-anywhere">{shownText(note, 1_000) || '–'}</span> },
  {
    head: 'Actions',
    quiet: true,
    cell: (on) => (
      <span className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" aria-label={`Edit ${on.provider}`} onClick={() => act({ wish: 'edit', on })}>
          Edit
        </Button>
        <Button variant="quiet" aria-label={`Remove ${on.provider}`} onClick={() => act({ wish: 'remove', on })}>
          Remove
        </Button>
      </span>
    ),
  },
];

interface UnlistedProps {
  of: readonly SeenProvider[];
  hasSeen: boolean;
  onAdd: (name: string) => void;
}

/** Providers that agents called in the last 30 days and that are not in the register. */
function Unlisted({ of, hasSeen, onAdd }: UnlistedProps) {
  if (of.length === 0)
    return (
      <p className="text-sm text-muted">
        {hasSeen ? 'All providers that agents called in the last 30 days are in the register.' : 'The stored traces show no model calls.'}
      </p>
    );
  return (
    <section aria-labelledby="unlisted-providers">
      <h3 id="unlisted-providers" className="mb-1 text-sm font-semibold">
        Called in the last 30 days but not in the register
      </h3>
      <ul aria-labelledby="unlisted-providers" className="list-none border border-border">
        {of.slice(0, maxShown).map(({ provider, host, calls, last_seen, projects }) => {
          const name = provider ?? host;
          return (
            <li
              key={`${provider} ${host}`}
              className="flex flex-wrap items-center gap-x-3 border-t border-border px-3 py-1.5 first:border-t-0"
            >
              <span className="min-w-0 grow wrap-anywhere">
                <span className="font-semibold">{name === null ? 'Not named in the traces' : shownText(name, 100)}</span>
                <span className="text-sm text-muted">
                  {provider && host ? ` at ${shownText(host, 100)}` : ''}: {plural(calls, 'call')} by {projects.join(', ')},{' '}
                  <Timestamp at={last_seen} />
                </span>
              </span>
              {name === null ? null : (
                <Button aria-label={`Add ${name}`} onClick={() => onAdd(name)}>
                  Add
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {of.length > maxShown ? <p className="mt-1 text-sm text-muted">And {(of.length - maxShown).toLocaleString('en')} more.</p> : null}
    </section>
  );
}
