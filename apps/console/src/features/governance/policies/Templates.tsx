import { type PolicyType, ruleTemplates } from '@paddock/contract/policy-rules';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Select } from '../../../ui/controls/Select.tsx';

/** Templates of rules that Paddock understands, by policy type. */
export function Templates({ type, onAdd }: { type: PolicyType; onAdd: (rule: string) => void }) {
  const templates = ruleTemplates[type];
  const [chosen, setChosen] = useState('');
  const rule = templates.includes(chosen) ? chosen : templates[0];
  if (rule === undefined) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2.5">
      <Field label="Template">
        <Select value={rule} onChange={(event) => setChosen(event.target.value)}>
          {templates.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
      </Field>
      <Button onClick={() => onAdd(rule)}>Add rule</Button>
    </div>
  );
}
