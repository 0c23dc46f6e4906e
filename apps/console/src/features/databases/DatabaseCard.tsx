import type { Database } from '@paddock/contract';
import { Database as Cylinder, Layers } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Badge } from '../../ui/feedback/Badge.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { bytesText } from '../../ui/text/bytes.ts';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { absoluteDate } from '../../ui/text/time.ts';
import { Icon } from '../../ui/theme/Icon.tsx';
import { DatabaseMenu, type DatabaseWish } from './DatabaseMenu.tsx';
import { environmentWords, fullName, isCopy, modeWords, typeWords } from './messages.ts';
import { StorageMeter } from './StorageMeter.tsx';
import { databaseLook } from './states.ts';

const glyphs = { postgresql: Cylinder, redis: Layers } as const;

interface Props {
  database: Database;
  /** Why the last action on the database failed. */
  problem: string | undefined;
  onWish: (wish: DatabaseWish) => void;
}

export function DatabaseCard({ database, problem, onWish }: Props) {
  const { id, type, project_id, project_name, environment, mode, name, status, status_message } = database;
  const { tone, glyph, word } = databaseLook(status);
  const isGoing = status === 'deleting';
  const full = fullName(database);
  return (
    <article aria-labelledby={`${id}-name`} className="flex min-w-0 flex-col rounded-box border border-border bg-surface">
      <div className="flex items-start gap-2.5 p-3.5 pb-0">
        <span className="mt-0.5 inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-border bg-sunken text-muted">
          <Icon of={glyphs[type]} />
        </span>
        <div className="min-w-0 grow">
          <h2 id={`${id}-name`} className="text-md font-bold break-words">
            {typeWords[type]}
            <span className="sr-only">{full.slice(typeWords[type].length)}</span>
          </h2>
          <p className="text-base break-words text-muted">
            <PageLink
              to="/deployments"
              search={{ project: project_id, environment }}
              aria-label={`Deployments of ${project_name}, ${environment}`}
            >
              {project_name}
            </PageLink>{' '}
            {environmentWords[environment]}
          </p>
        </div>
        {isGoing ? null : <DatabaseMenu database={database} onWish={onWish} />}
      </div>
      <div className="flex grow flex-col gap-3 px-3.5 pt-2.5 pb-3">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={tone} glyph={glyph}>
            {word}
          </Badge>
          <Tag>{modeWords[mode]}</Tag>
          {database.is_read_only ? (
            <Badge tone="error" glyph="triangle">
              Read-only
            </Badge>
          ) : null}
          {isCopy(database) ? <Tag>Copy</Tag> : null}
        </div>
        {isCopy(database) ? (
          <p className="text-sm text-muted">
            <span className="font-mono text-mono break-all text-text">{name}</span>, created from a backup. Agents do not use it.
          </p>
        ) : null}
        {status_message ? <p className="text-sm break-words text-warning-fg">{status_message}</p> : null}
        <Facts database={database} />
        <StorageMeter database={database} />
        <FormError>{problem}</FormError>
      </div>
      {isGoing ? null : <WishButtons database={database} onWish={onWish} />}
    </article>
  );
}

function Facts({ database }: { database: Database }) {
  const { type, mode, version, storage_limit_bytes, size_bytes, last_backup_at, created_at } = database;
  const isManaged = mode === 'managed';
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm">
      <Fact name="Address">
        <Address {...database} label={fullName(database)} />
      </Fact>
      {isManaged || version ? <Fact name="Version">{version ?? 'Not known yet'}</Fact> : null}
      {isManaged && (storage_limit_bytes === null || size_bytes === null) ? (
        <Fact name={type === 'redis' ? 'Data in memory' : 'Size'}>{size_bytes === null ? 'Not measured' : bytesText(size_bytes)}</Fact>
      ) : null}
      {isManaged ? <Fact name="Last backup">{last_backup_at ? <Timestamp at={last_backup_at} /> : 'None yet'}</Fact> : null}
      <Fact name="Created">
        <Created at={created_at} />
      </Fact>
    </dl>
  );
}

function WishButtons({ database, onWish }: Pick<Props, 'database' | 'onWish'>) {
  const full = fullName(database);
  return (
    <div className="flex flex-wrap gap-1.5 border-t border-border px-2.5 py-2.5">
      <Button
        // A database has no address before its first start.
        disabled={database.host === null}
        onClick={() => onWish('connection')}
        aria-label={`Connection String of ${full}`}
      >
        Connection String
      </Button>
      {database.mode === 'managed' ? (
        <>
          <Button onClick={() => onWish('metrics')} aria-label={`Metrics of ${full}`}>
            Metrics
          </Button>
          <Button onClick={() => onWish('backups')} aria-label={`Backups of ${full}`}>
            Backups
          </Button>
        </>
      ) : (
        <Button onClick={() => onWish('readdress')} aria-label={`Change address of ${full}`}>
          Change address
        </Button>
      )}
    </div>
  );
}

const Tag = ({ children }: { children: string }) => (
  <span className="rounded-control border border-border-strong px-1.5 text-xs font-semibold text-muted">{children}</span>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
);

function Address({ host, port, label }: { host: string | null; port: number | null; label: string }) {
  if (host === null) return 'Not known yet';
  // An IPv6 address is in brackets before a port.
  const hostBeforePort = host.includes(':') ? `[${host}]` : host;
  const text = port === null ? host : `${hostBeforePort}:${port}`;
  return (
    <span className="-my-1.5 flex items-center gap-1">
      <span className="min-w-0 font-mono text-mono break-all">{text}</span>
      <CopyButton text={text} label={`Copy address of ${label}`} />
    </span>
  );
}

function Created({ at }: { at: string }) {
  return <time dateTime={at}>{absoluteDate(Date.parse(at), useZone())}</time>;
}
