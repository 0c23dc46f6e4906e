import type { UnderstoodRule } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Badge } from '../../../ui/feedback/Badge.tsx';

/** Each rule, whether Paddock enforces it, and its effect. */
export const RuleEffects = ({ label, rules }: { label: string; rules: readonly UnderstoodRule[] }) => (
  <ul aria-label={label} className="list-none border border-border">
    {rules.map(({ rule, is_enforced, effect }, index) => (
      <li key={index} className="border-t border-border px-3 py-2 first:border-t-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={is_enforced ? 'success' : 'neutral'} glyph={is_enforced ? 'tick' : 'bar'}>
            {is_enforced ? 'Enforced' : 'Advisory'}
          </Badge>
          <span className="min-w-0 font-semibold wrap-anywhere">{shownText(rule, 300)}</span>
        </div>
        <p className="text-sm text-muted wrap-anywhere">{effect}</p>
      </li>
    ))}
  </ul>
);
