import type { Policy } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteDate } from '../../../ui/text/time.ts';
import { statusLooks, typeWords } from './words.ts';

const maxRules = 6;

interface Props {
  policy: Policy;
  onView: () => void;
  onEdit: () => void;
}

export function PolicyCard({ policy, onView, onEdit }: Props) {
  const { id, type, description, rules } = policy;
  const zone = useZone();
  const name = shownText(policy.name, 100);
  return (
    <li aria-labelledby={id} className="flex min-w-0 flex-col gap-2 rounded-box border border-border bg-surface p-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 id={id} className="min-w-0 text-base font-bold wrap-anywhere">
          {name}
        </h3>
        <StatusMark status={policy.status} />
        <span className="text-sm text-muted">{typeWords[type]}</span>
      </div>
      {description === '' ? null : <p className="text-muted wrap-anywhere">{shownText(description, 300)}</p>}
      <ul className="list-disc pl-5">
        {rules.slice(0, maxRules).map((rule, index) => (
          <li key={index} className="wrap-anywhere">
            {shownText(rule, 300)}
          </li>
        ))}
        {rules.length > maxRules ? <li className="text-muted">{rules.length - maxRules} more</li> : null}
      </ul>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-1">
        <span className="text-sm text-muted">Created {absoluteDate(Date.parse(policy.created_at), zone)}</span>
        <span className="flex flex-wrap gap-2">
          <Button onClick={onView} aria-label={`View Details of ${name}`}>
            View Details
          </Button>
          <Button onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
        </span>
      </div>
    </li>
  );
}

export function StatusMark({ status }: { status: Policy['status'] }) {
  const { tone, glyph, word } = statusLooks[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}
