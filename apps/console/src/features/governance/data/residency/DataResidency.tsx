import type { Residency } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../../../api/api.ts';
import { Loaded } from '../../../../api/Loaded.tsx';
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { type Column, Table } from '../../../../ui/layout/Table.tsx';
import { bytesText } from '../../../../ui/text/bytes.ts';
import { StateBadge } from '../../compliance/StateBadge.tsx';
import type { Look } from '../../compliance/words.ts';
import { governanceKey } from '../../queries.ts';
import { agreementWords } from '../providers/model-providers.ts';

type Store = Residency['stores'][number];

const residencyQuery = queryOptions({
  queryKey: [...governanceKey, 'residency'],
  queryFn: ({ signal }) => api.residency.get({}, { signal }),
});

const storeWords: Record<string, string> = {
  platform_database: 'Platform database',
  data_directory: 'Data directory',
  archives: 'Source archives',
  backups: 'Backups',
  managed_databases: 'Managed databases',
  audit_checkpoints: 'Checkpoints',
};

const purposeWords: Record<string, string> = {
  mail: 'Mail server',
  channel: 'Channel',
  audit_checkpoints: 'Checkpoints of the audit trail',
};

const unknown: Look = { tone: 'neutral', glyph: 'bar', word: 'Unknown' };
const looks: Record<string, Look> = {
  encrypted: { tone: 'success', glyph: 'tick', word: 'Encrypted' },
  memory: { tone: 'info', glyph: 'ring', word: 'In memory' },
};

/** The locations of data, its recipients, and the hosts at which agents call models. */
export function DataResidency() {
  const query = useQuery(residencyQuery);
  return (
    <Card title="Data Residency">
      <div className="flex flex-col gap-3">
        <p className="max-w-text text-sm text-muted">
          Where data is stored and where it is sent, as this server sees it. Unknown means that this machine does not show whether the disk
          is encrypted; a provider may encrypt it.
        </p>
        <Loaded query={query} failed="The data residency could not be loaded." skeleton={<Skeleton rows={6} />} />
        {query.data ? (
          <>
            <Table caption="Where data is stored" broad columns={storeColumns} rows={query.data.stores} rowKey={({ store }) => store} />
            <Hosts title="Where Paddock sends data" none="No data of the team is sent to another host.">
              {query.data.receivers.map(({ purpose, name, host }) => (
                <Host key={`${purpose} ${name} ${host}`} host={host}>
                  {purposeWords[purpose] ?? purpose}
                  {name === null ? '' : ` ${shownText(name, 80)}`}
                </Host>
              ))}
            </Hosts>
            <Hosts title="Where agents call models" none="The stored traces show no model calls.">
              {query.data.models.slice(0, maxModels).map((model) => (
                <Host key={`${model.provider} ${model.host}`} host={model.host ?? 'Host not named in the traces'}>
                  {modelText(model)}
                </Host>
              ))}
            </Hosts>
            {query.data.models_total > maxModels ? (
              <p className="text-sm text-muted">
                {(query.data.models_total - maxModels).toLocaleString('en')} more are not shown; they were called less often.
              </p>
            ) : null}
          </>
        ) : null}
      </div>
    </Card>
  );
}

/** Maximum number of models shown; the most called come first. */
const maxModels = 20;

function modelText({ provider, calls, register }: Residency['models'][number]): string {
  const count = `${plural(calls, 'call')} in 30 days`;
  const known = register
    ? `region ${shownText(register.region, 100) || 'not specified'}, agreement ${agreementWords[register.agreement]}`
    : 'not in the register';
  return [provider === null ? '' : shownText(provider, 100), count, known].filter(Boolean).join(', ');
}

const storeColumns: Column<Store>[] = [
  { head: 'Store', lead: true, cell: ({ store }) => storeWords[store] ?? store },
  { head: 'Holds', cell: ({ holds }) => holds },
  { head: 'Where', cell: whereText },
  { head: 'File system', cell: ({ file_system }) => file_system ?? '–' },
  { head: 'Disk', cell: ({ encryption }) => <StateBadge look={looks[encryption] ?? unknown} /> },
  {
    head: 'Free',
    numeric: true,
    cell: ({ free_bytes, total_bytes }) =>
      free_bytes === null || total_bytes === null ? '–' : `${bytesText(free_bytes)} of ${bytesText(total_bytes)}`,
  },
];

function whereText({ host, mounted_at }: Store): string {
  if (host !== null) return shownText(host, 253);
  return mounted_at === null ? 'On this or another machine; this server cannot see its disk' : `This server, ${shownText(mounted_at, 200)}`;
}

function Hosts({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {children.length === 0 ? (
        <p className="text-sm text-muted">{none}</p>
      ) : (
        <ul className="list-none border border-border">{children}</ul>
      )}
    </section>
  );
}

const Host = ({ host, children }: { host: string; children: ReactNode }) => (
  <li className="flex flex-wrap justify-between gap-x-3 border-t border-border px-3 py-1.5 first:border-t-0">
    <span className="min-w-0 font-semibold wrap-anywhere">{shownText(host, 253)}</span>
    <span className="min-w-0 text-sm text-muted wrap-anywhere">{children}</span>
  </li>
);
