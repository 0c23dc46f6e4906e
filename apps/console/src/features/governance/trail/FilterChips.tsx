import type { GovernanceSummary } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Button } from '../../../ui/controls/Button.tsx';
import { FilterChip } from '../../../ui/controls/FilterChip.tsx';
import { useZone, type Zone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import { type Go, type GovernanceView, toAuditFilter, unfiltered } from '../view.ts';
import { statusLooks, typeLooks } from '../words.ts';

interface Props {
  view: GovernanceView;
  agents: GovernanceSummary['agents'];
  go: Go;
}

/** The active filters, each with a button that clears it. */
export function FilterChips({ view, agents, go }: Props) {
  const chips = listFilterChips(view, agents, useZone());
  // Includes filters without a chip, which the server would refuse.
  const isOdd = Object.keys(unfiltered).some((name) => view[name as keyof GovernanceView] !== undefined);
  if (!isOdd) return null;
  return (
    <ul aria-label="Active filters" className="mb-4 flex list-none flex-wrap items-center gap-2">
      {chips.map(({ name, label, text }) => (
        <li key={name} className="min-w-0">
          <FilterChip
            active
            onClick={() => go({ [name]: undefined })}
            onClear={() => go({ [name]: undefined })}
            clearLabel={`Clear ${label}`}
          >
            <span className="text-muted">{label}</span> <span className="wrap-anywhere">{text}</span>
          </FilterChip>
        </li>
      ))}
      <li>
        <Button variant="ghost" onClick={() => go(unfiltered)}>
          Clear Filters
        </Button>
      </li>
    </ul>
  );
}

interface Chip {
  name: keyof GovernanceView;
  label: string;
  text: string;
}

function listFilterChips(view: GovernanceView, agents: GovernanceSummary['agents'], zone: Zone): Chip[] {
  const { search, agent, action_type, status, date_from, date_to, user, trace_id } = toAuditFilter(view);
  const agentName = agents.find(({ agent_id }) => agent_id === agent)?.agent_name ?? agent;
  const time = (moment: string | undefined) => moment && absoluteTime(Date.parse(moment), zone);
  const all: [name: keyof GovernanceView, label: string, text: string | undefined][] = [
    ['q', 'search', search],
    ['agent', 'agent', agentName],
    ['type', 'type', action_type && typeLooks[action_type].word],
    ['status', 'status', status && statusLooks[status].word],
    ['from', 'from', time(date_from)],
    ['to', 'to', time(date_to)],
    ['user', 'user', user],
    ['trace', 'trace', trace_id && `…${trace_id.slice(-8)}`],
  ];
  return all.flatMap(([name, label, text]) => (text ? [{ name, label, text: shownText(text, 60) }] : []));
}
