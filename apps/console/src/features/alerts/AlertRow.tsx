import type { Alert } from '@paddock/contract';
import { PageLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Badge, type Tone } from '../../ui/feedback/Badge.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';

const looks = {
  info: { tone: 'info', glyph: 'ring', word: 'Info' },
  warning: { tone: 'warning', glyph: 'triangle', word: 'Warning' },
  critical: { tone: 'error', glyph: 'cross', word: 'Critical' },
} as const satisfies Record<Alert['severity'], { tone: Tone; glyph: GlyphName; word: string }>;

interface Props {
  alert: Alert;
  busy: boolean;
  onResolve: () => void;
  /** A link was followed. */
  onLeave: () => void;
}

export function AlertRow({ alert, busy, onResolve, onLeave }: Props) {
  const { severity, message, project_name, database_id, deployment_id, created_at } = alert;
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Button busy={busy} onClick={onResolve} aria-label={`Mark resolved: ${message}`}>
          Mark resolved
        </Button>
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
