import { tryMethods } from '@paddock/contract/limits';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { presetNames, presetOf, presets } from './presets.ts';
import { type Draft, isMethod } from './request-text.ts';

type Props = { draft: Draft; onChange: (next: Partial<Draft>) => void; pathError: string | undefined };

/** Which request: one of the usual ones, or any method and path. */
export function RequestFields({ draft, onChange, pathError }: Props) {
  const preset = presetOf(draft);
  const fill = (name: string) => {
    const chosen = presetNames.find((each) => each === name);
    if (chosen) onChange(presets[chosen].draft);
  };
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,15rem)_7.5rem_minmax(0,1fr)]">
      <Field label="Fill in">
        <Select value={preset ?? ''} onChange={({ target }) => fill(target.value)}>
          {preset ? null : <option value="">Your own request</option>}
          {presetNames.map((name) => (
            <option key={name} value={name}>
              {presets[name].label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Method">
        <Select value={draft.method} onChange={({ target }) => isMethod(target.value) && onChange({ method: target.value })}>
          {tryMethods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </Select>
      </Field>
      <Field label="Path" hint="With its query, such as /search?q=agents" error={pathError} required>
        <Input
          mono
          spellCheck={false}
          autoCapitalize="off"
          value={draft.path}
          onChange={({ target }) => onChange({ path: target.value })}
        />
      </Field>
    </div>
  );
}
