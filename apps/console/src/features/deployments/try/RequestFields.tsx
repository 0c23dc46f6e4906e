import type { Protocol } from '@paddock/contract';
import { tryMethods } from '@paddock/contract/limits';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { isSame, presetNames, presets, recognised } from './presets.ts';
import { type Draft, isMethod } from './request-text.ts';

type Props = { draft: Draft; protocols: Protocol[]; onChange: (next: Partial<Draft>) => void; pathError: string | undefined };

/** The request: a preset, or any method and path. */
export function RequestFields({ draft, protocols, onChange, pathError }: Props) {
  const own = recognised(protocols);
  const all = [...own, ...presetNames.map((name) => presets[name])];
  const chosen = all.findIndex((each) => isSame(draft, each.draft));
  const options = all.map(({ label }, index) => (
    <option key={label} value={index}>
      {label}
    </option>
  ));
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,15rem)_7.5rem_minmax(0,1fr)]">
      <Field label="Template">
        <Select value={chosen} onChange={({ target }) => onChange(all[Number(target.value)]?.draft ?? draft)}>
          {chosen < 0 ? <option value={-1}>Custom request</option> : null}
          {own.length > 0 ? <optgroup label="This agent">{options.slice(0, own.length)}</optgroup> : null}
          {options.slice(own.length)}
        </Select>
      </Field>
      <Field label="Method">
        <Select value={draft.method} onChange={({ target }) => isMethod(target.value) && onChange({ method: target.value })}>
          {tryMethods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </Select>
      </Field>
      <Field label="Path" hint="Including the query, such as /search?q=agents" error={pathError} required>
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
