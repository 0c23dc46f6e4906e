import type { AuditLog } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { IdText } from '../../../ui/text/IdText.tsx';
import { absoluteTime } from '../../../ui/text/time.ts';
import { isTraceId } from '../view.ts';
import { actorWords } from '../words.ts';
import { durationText } from './duration-text.ts';
import { StatusMark, TypeMark } from './marks.tsx';

/** Actor, action, time, origin and result of a record, and its place in the chain. */
export function AuditFacts({ log }: { log: AuditLog }) {
  const zone = useZone();
  const { agent_name, actor, user_id, trace_id, hash, seq } = log;
  const facts: [term: string, value: ReactNode][] = [
    ['Timestamp', absoluteTime(Date.parse(log.timestamp), zone)],
    ['Agent', agent_name === null ? '–' : shownText(agent_name)],
    ['Action Type', <TypeMark key="type" type={log.action_type} />],
    ['Duration', durationText(log.duration_ms)],
    ['Status', <StatusMark key="status" status={log.status} />],
    ['Action', shownText(log.action, 300)],
    ['Actor', <Actor key="actor" of={actor} />],
    ...(user_id === undefined ? [] : [['User ID', <Id key="user" id={user_id} label="Copy user id" />] as [string, ReactNode]]),
    ['Record', `#${seq.toLocaleString('en')}, in the chain since ${absoluteTime(Date.parse(log.recorded_at), zone)}`],
    [
      'Hash',
      <span key="hash" className="inline-flex items-center">
        <span className="font-mono text-mono">{hash.slice(0, 12)}…</span>
        <CopyButton text={hash} label="Copy hash" />
      </span>,
    ],
    ...(isTraceId(trace_id ?? undefined)
      ? [['Trace', <Id key="trace" id={trace_id ?? ''} label="Copy trace id" />] as [string, ReactNode]]
      : []),
  ];
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {facts.map(([term, value]) => (
        <div key={term} className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actor({ of: { type, id, name } }: { of: AuditLog['actor'] }) {
  const shown = shownText(name ?? id ?? '', 80);
  return shown === '' ? actorWords[type] : `${shown} (${actorWords[type]})`;
}

const Id = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex flex-wrap items-center">
    <IdText id={shownText(id, 64)} />
    <CopyButton text={id} label={label} />
  </span>
);
