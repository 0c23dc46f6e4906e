import { type PiiAction, type PiiRule, type PiiType, piiActions, piiTypes } from '@paddock/contract/data-protection';
import { Select } from '../../../ui/controls/Select.tsx';
import { actionWords, blockedWords, consequence, placeOf, trafficWords } from './words.ts';

type Rules = Record<PiiType, PiiRule>;

interface Props {
  rules: Rules;
  onChange: (rules: Rules) => void;
}

/** The action for each type of PII, where it applies, and its consequence. */
export function RuleFields({ rules, onChange }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Types of personal data</legend>
      <ul className="list-none border border-border bg-surface">
        {piiTypes.map((type) => (
          <RuleRow key={type} type={type} rule={rules[type]} onChange={(rule) => onChange({ ...rules, [type]: rule })} />
        ))}
      </ul>
    </fieldset>
  );
}

interface RowProps {
  type: PiiType;
  rule: PiiRule;
  onChange: (rule: PiiRule) => void;
}

function RuleRow({ type, rule, onChange }: RowProps) {
  const { action, traffic } = rule;
  const places: Partial<Record<PiiRule['traffic'], string>> = action === 'block' ? blockedWords : trafficWords;
  const act = (next: PiiAction) => onChange({ action: next, traffic: placeOf({ action: next, traffic }) });
  return (
    <li
      aria-label={type}
      className="grid min-w-0 items-center gap-x-4 gap-y-1.5 border-t border-border px-3.5 py-2 first:border-t-0 sm:grid-cols-[8rem_8rem_17rem] lg:grid-cols-[8rem_8rem_17rem_minmax(0,1fr)]"
    >
      <span className="font-semibold">{type}</span>
      <Select aria-label={`Action for ${type}`} value={action} onChange={(event) => act(event.target.value as PiiAction)}>
        {piiActions.map((each) => (
          <option key={each} value={each}>
            {actionWords[each]}
          </option>
        ))}
      </Select>
      <Select
        aria-label={`Where it applies for ${type}`}
        value={action === 'allow' ? 'none' : placeOf(rule)}
        disabled={action === 'allow'}
        onChange={(event) => onChange({ action, traffic: event.target.value as PiiRule['traffic'] })}
      >
        {action === 'allow' ? <option value="none">Nowhere</option> : null}
        {action === 'allow'
          ? null
          : Object.entries(places).map(([id, word]) => (
              <option key={id} value={id}>
                {word}
              </option>
            ))}
      </Select>
      <span className="text-sm text-muted sm:col-span-3 lg:col-span-1">{consequence(rule)}</span>
    </li>
  );
}
