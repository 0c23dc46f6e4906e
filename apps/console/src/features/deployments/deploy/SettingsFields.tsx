import { fieldError } from '../../../api/failure.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import type { DeployOrder } from './use-deploy.ts';

type Form = Pick<DeployOrder, 'root' | 'start'>;

interface Props {
  form: Form;
  onChange: (change: Partial<Form>) => void;
  error: unknown;
}

/** What wins over the archive's own files; closed until somebody needs it. */
export function SettingsFields({ form, onChange, error }: Props) {
  return (
    <details>
      <summary className="text-sm font-semibold text-muted">Build settings</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label="Folder" hint="Of the agent within the ZIP, if not its root" error={fieldError(error, 'root')}>
          <Input
            value={form.root}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder="services/agent"
            onChange={(event) => onChange({ root: event.target.value })}
          />
        </Field>
        <Field label="Start command" hint="Instead of the one that is found" error={fieldError(error, 'start')}>
          <Input
            value={form.start}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder="python agent.py"
            onChange={(event) => onChange({ start: event.target.value })}
          />
        </Field>
      </div>
    </details>
  );
}
