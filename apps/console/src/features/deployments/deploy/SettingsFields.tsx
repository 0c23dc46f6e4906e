import { fieldError } from '../../../api/failure.ts';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { type KeptSettings, keptNote, shownSettings, type TypedSettings } from './build-settings.ts';

interface Props {
  typed: TypedSettings;
  /** Build settings stored for uploads to the chosen project. */
  kept: KeptSettings;
  onChange: (change: Partial<TypedSettings>) => void;
  error: unknown;
}

/** Settings that override the archive's own files; collapsed unless the project has stored settings. */
export function SettingsFields({ typed, kept, onChange, error }: Props) {
  const shown = shownSettings(typed, kept);
  const { root, start, packages, keep } = shown;
  const note = keptNote(shown, kept);
  return (
    <details open={kept ? true : undefined}>
      <summary className="text-sm font-semibold text-muted">Build settings</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label="Folder" hint="The agent's folder in the ZIP, if not the root" error={fieldError(error, 'root')}>
          <Input
            value={root}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder="services/agent"
            onChange={(event) => onChange({ root: event.target.value })}
          />
        </Field>
        <Field label="Start command" hint="Overrides the detected command" error={fieldError(error, 'start')}>
          <Input
            value={start}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder="python agent.py"
            onChange={(event) => onChange({ start: event.target.value })}
          />
        </Field>
        <div className="sm:col-span-2">
          <Field
            label="Packages"
            hint="Installed in addition to its dependencies; separated by spaces"
            error={fieldError(error, 'packages')}
          >
            <Input
              value={packages}
              mono
              autoComplete="off"
              spellCheck={false}
              placeholder="ddgs openai>=1"
              onChange={(event) => onChange({ packages: event.target.value })}
            />
          </Field>
        </div>
      </div>
      <div className="mt-3">
        <Checkbox
          label="Also use these for later deployments of the project"
          checked={keep}
          onChange={(event) => onChange({ keep: event.target.checked })}
        />
        {note ? <p className="mt-1 text-sm wrap-anywhere text-muted">{note}</p> : null}
      </div>
    </details>
  );
}
