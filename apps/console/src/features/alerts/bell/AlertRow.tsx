import type { Alert } from '@paddock/contract';
import { BellRing, ChevronDown } from 'lucide-react';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge, type Tone } from '../../../ui/feedback/Badge.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import type { MenuItem } from '../../../ui/overlays/menu-item.ts';
import { useZone } from '../../../ui/preferences/zone.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteClock, absoluteDate, useNow } from '../../../ui/text/time.ts';
import type { GlyphName } from '../../../ui/theme/Glyph.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';

const looks = {
  info: { tone: 'info', glyph: 'ring', word: 'Info' },
  warning: { tone: 'warning', glyph: 'triangle', word: 'Warning' },
  critical: { tone: 'error', glyph: 'cross', word: 'Critical' },
} as const satisfies Record<Alert['severity'], { tone: Tone; glyph: GlyphName; word: string }>;

const hour = 60;
const day = 24 * hour;
const snoozes = [
  ['1 hour', hour],
  ['8 hours', 8 * hour],
  ['1 day', day],
  ['1 week', 7 * day],
] as const;

interface Props {
  alert: Alert;
  busy: boolean;
  onResolve: () => void;
  /** 0 minutes end the snooze. */
  onSnooze: (minutes: number) => void;
  /** A link was followed. */
  onLeave: () => void;
}

export function AlertRow({ alert, busy, onResolve, onSnooze, onLeave }: Props) {
  const { severity, message, project_name, database_id, deployment_id, created_at, snoozed_until } = alert;
  const { tone, glyph, word } = looks[severity];
  return (
    <li className="flex flex-col gap-1.5 border-t border-border px-3.5 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
        {project_name ? <span className="font-semibold text-text">{project_name}</span> : null}
        <Timestamp at={created_at} />
      </div>
      <p className="text-base break-words">{message}</p>
      {snoozed_until === null ? null : <SnoozedUntil at={snoozed_until} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Button busy={busy} onClick={onResolve} aria-label={`Mark resolved: ${message}`}>
          Mark resolved
        </Button>
        <Menu label={`Snooze: ${message}`} look="secondary" groups={snoozeGroups(snoozed_until !== null, onSnooze)}>
          Snooze
          <Icon of={ChevronDown} />
        </Menu>
        {database_id ? (
          <PageLink to="/databases" search={{ open: database_id }} onClick={onLeave}>
            Show database
          </PageLink>
        ) : null}
        {deployment_id ? (
          <PageLink to="/deployments/$id" params={{ id: deployment_id }} onClick={onLeave}>
            Show deployment
          </PageLink>
        ) : null}
      </div>
    </li>
  );
}

function SnoozedUntil({ at }: { at: string }) {
  const zone = useZone();
  const now = useNow();
  const [until, today] = [Date.parse(at), absoluteDate(now, zone)];
  const date = absoluteDate(until, zone);
  return (
    <p className="text-sm text-muted">
      Snoozed until {date === today ? '' : `${date}, `}
      {absoluteClock(until, zone)}
    </p>
  );
}

function snoozeGroups(isSnoozed: boolean, onSnooze: (minutes: number) => void): MenuItem[][] {
  const wake = { label: 'End snooze', icon: BellRing, onSelect: () => onSnooze(0) };
  return [isSnoozed ? [wake] : [], snoozes.map(([label, minutes]) => ({ label, onSelect: () => onSnooze(minutes) }))];
}
