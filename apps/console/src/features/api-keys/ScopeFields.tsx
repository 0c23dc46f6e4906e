import type { Scope } from '@paddock/contract';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { FilterChip } from '../../ui/controls/FilterChip.tsx';
import { everyScope, presets, sameScopes, scopeWords, whatItMay } from './presets.ts';

interface Props {
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}

/** The scopes of a key, chosen one by one or by a preset, and a summary of what they allow. */
export function ScopeFields({ scopes, onChange }: Props) {
  const toggle = (scope: Scope, on: boolean) => onChange(everyScope.filter((each) => (each === scope ? on : scopes.includes(each))));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Scopes</legend>
      <div className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <FilterChip key={preset.label} active={sameScopes(preset.scopes, scopes)} onClick={() => onChange(preset.scopes)}>
            {preset.label}
          </FilterChip>
        ))}
      </div>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {everyScope.map((scope) => (
          <Checkbox
            key={scope}
            label={
              <>
                {scopeWords[scope].label} <span className="font-mono text-mono whitespace-nowrap text-subtle sm:block">{scope}</span>
              </>
            }
            checked={scopes.includes(scope)}
            onChange={(event) => toggle(scope, event.target.checked)}
          />
        ))}
      </div>
      <p role="status" className={`text-sm ${scopes.length ? 'text-muted' : 'text-error-fg'}`}>
        {whatItMay(scopes)}
      </p>
    </fieldset>
  );
}
