import type { AuditStatus, GovernanceSummary } from '@paddock/contract';
import { auditActionTypes, auditStatuses } from '@paddock/contract/audit-kinds';
import { shownText } from '@paddock/contract/terminal-text';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { TypedInput } from '../../../ui/controls/TypedInput.tsx';
import { MomentFields } from '../MomentFields.tsx';
import { type Go, type GovernanceView, isTraceId } from '../view.ts';
import { statusLooks, typeLooks } from '../words.ts';

interface Props {
  view: GovernanceView;
  agents: GovernanceSummary['agents'];
  go: Go;
}

/** Filters of the audit trail, kept in the address. */
export function AuditFilters({ view, agents, go }: Props) {
  const { q = '', user = '', trace = '', agent = '' } = view;
  const isOddTrace = trace !== '' && !isTraceId(trace);
  return (
    <search
      aria-label="Audit logs"
      className="mb-3 grid grid-cols-2 items-start gap-x-2.5 gap-y-2 lg:grid-cols-4 *:min-w-0 max-sm:*:not-nth-[3]:not-nth-[4]:col-span-2"
    >
      <Field label="Search">
        <TypedInput type="search" placeholder="Part of the action" maxLength={200} value={q} onChange={(next) => go({ q: next })} />
      </Field>
      <Field label="Agent">
        <Select value={agent} onChange={(event) => go({ agent: event.target.value })}>
          <option value="">All Agents</option>
          {agent === '' || agents.some(({ agent_id }) => agent_id === agent) ? null : <option value={agent}>One agent</option>}
          {agents.map(({ agent_id, agent_name }) => (
            <option key={agent_id} value={agent_id}>
              {shownText(agent_name, 60)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Action type">
        <Select value={auditActionTypes.find((type) => type === view.type) ?? ''} onChange={(event) => go({ type: event.target.value })}>
          <option value="">All Types</option>
          {auditActionTypes.map((type) => (
            <option key={type} value={type}>
              {typeLooks[type].word}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Status">
        <Select
          value={view.status ?? ''}
          onChange={(event) => go({ status: event.target.value === '' ? undefined : (event.target.value as AuditStatus) })}
        >
          <option value="">All Statuses</option>
          {auditStatuses.map((status) => (
            <option key={status} value={status}>
              {statusLooks[status].word}
            </option>
          ))}
        </Select>
      </Field>
      <MomentFields view={view} go={go} />
      <Field label="User or API key id">
        <TypedInput mono placeholder="usr_… or key_…" maxLength={64} value={user} onChange={(next) => go({ user: next.trim() })} />
      </Field>
      <Field label="Trace id" error={isOddTrace ? 'A trace id has 32 hexadecimal digits.' : undefined}>
        <TypedInput
          mono
          placeholder="32 hexadecimal digits"
          maxLength={64}
          value={trace}
          onChange={(next) => go({ trace: next.trim().toLowerCase() })}
        />
      </Field>
    </search>
  );
}
