import type { AuditActionType, AuditStatus } from '@paddock/contract';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { statusLooks, typeLooks } from '../words.ts';

export function TypeMark({ type }: { type: AuditActionType }) {
  const { icon, word } = typeLooks[type];
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span className="text-muted">
        <Icon of={icon} />
      </span>
      {word}
    </span>
  );
}

export function StatusMark({ status }: { status: AuditStatus }) {
  const { tone, glyph, word } = statusLooks[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}
