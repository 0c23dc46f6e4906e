import type { DeploymentChanges } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { bytesText } from '../../../ui/text/bytes.ts';
import { changesQuery } from './queries.ts';

/** The changes of a deployment against another one, part by part. */
export function Changes({ id, other, isRollback = false }: { id: string; other: string; isRollback?: boolean }) {
  const query = useQuery(changesQuery(id, other));
  return (
    <Loaded query={query} failed="The changes could not be loaded. Running agents are not affected." skeleton={<Skeleton rows={4} />}>
      {(data) => <Parts of={data} isRollback={isRollback} />}
    </Loaded>
  );
}

/** A rollback takes the variables of today, so it says nothing of those. */
function Parts({ of, isRollback }: { of: DeploymentChanges; isRollback: boolean }) {
  const { is_same_code, files, packages, plan, variables } = of;
  const filesTotal = files ? files.added + files.removed + files.changed : 0;
  return (
    <div className="flex flex-col gap-3">
      <Part
        title="Files"
        total={files && filesTotal}
        none={is_same_code ? 'None: both have the same archive.' : 'None'}
        unknown="Unknown: an archive is gone or cannot be read."
      >
        {files?.list.map(({ path, change, bytes, bytes_before }) => (
          <Line key={path} change={change} value={sizes(bytes_before, bytes)}>
            {shownText(path, 300)}
          </Line>
        ))}
      </Part>
      <Part title="Packages" total={packages && packages.total} none="None" unknown="Unknown: one of the two was not built.">
        {packages?.list.map(({ ecosystem, name, version, version_before }) => (
          <Line
            key={`${ecosystem} ${name}`}
            change={findKind(version, version_before)}
            value={[version_before, version].filter((one) => one !== null).join(' → ')}
          >
            {name}
          </Line>
        ))}
      </Part>
      <Part title="Plan" total={plan && plan.length} none="None" unknown="Unknown: one of the two has no plan.">
        {plan?.map(({ what, value, value_before }) => (
          <Line key={what} change="changed" value={`${value_before ?? 'none'} → ${value ?? 'none'}`}>
            {facts[what] ?? what}
          </Line>
        ))}
      </Part>
      {isRollback ? null : (
        <Part
          title="Variables"
          total={variables && variables.length}
          none="None"
          unknown="Unknown: one of the two was not started, or before Paddock kept the names."
        >
          {variables?.map(({ name, change }) => (
            <Line key={name} change={change} value={change}>
              {name}
            </Line>
          ))}
        </Part>
      )}
    </div>
  );
}

type Change = 'added' | 'removed' | 'changed';

const facts: Record<string, string> = {
  language: 'Language',
  version: 'Version',
  framework: 'Framework',
  type: 'Kind',
  root: 'Folder',
  install: 'Install',
  build: 'Build',
  start: 'Start',
  start_in: 'Start folder',
  port: 'Port',
  health: 'Health',
  database_mode: 'Databases',
};

function findKind(now: string | null, before: string | null): Change {
  if (now === null) return 'removed';
  return before === null ? 'added' : 'changed';
}

const sizes = (before: number | null, now: number | null) =>
  [before, now].flatMap((bytes) => (bytes === null ? [] : bytesText(bytes))).join(' → ');

interface PartProps {
  title: string;
  /** Null if unknown. */
  total: number | null;
  none: string;
  unknown: string;
  children: ReactNode[] | undefined;
}

function Part({ title, total, none, unknown, children = [] }: PartProps) {
  const said = total === 0 ? none : plural(total ?? 0, 'change');
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
        {title}
        <span className="text-sm font-normal text-muted">{total === null ? unknown : said}</span>
      </h3>
      {children.length > 0 ? (
        <ul aria-label={title} className="mt-1 max-h-80 overflow-y-auto">
          {children}
        </ul>
      ) : null}
      {total !== null && total > children.length ? (
        <p className="text-sm text-muted">and {plural(total - children.length, 'more', 'more')}</p>
      ) : null}
    </section>
  );
}

const signs: Record<Change, [sign: string, look: string]> = {
  added: ['+', 'text-success-fg'],
  removed: ['−', 'text-error-fg'],
  changed: ['~', 'text-warning-fg'],
};

function Line({ change, value, children }: { change: Change; value: string; children: ReactNode }) {
  const [sign, look] = signs[change];
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-1 sm:grid-cols-[1rem_minmax(0,1fr)_minmax(0,1fr)]">
      <span aria-hidden="true" className={`font-mono text-mono ${look}`}>
        {sign}
      </span>
      <span className="min-w-0 font-mono text-mono wrap-anywhere">
        <span className="sr-only">{change}: </span>
        {children}
      </span>
      <span className="col-start-2 min-w-0 font-mono text-mono wrap-anywhere text-muted sm:col-start-3">{value}</span>
    </li>
  );
}
