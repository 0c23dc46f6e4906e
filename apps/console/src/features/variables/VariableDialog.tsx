import type { Environment } from '@paddock/contract';
import { variableKeyProblem } from '@paddock/contract/rules';
import { type ClipboardEvent, type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { Textarea } from '../../ui/controls/Textarea.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { useSetVariables } from './queries.ts';

interface Props {
  projectId: string;
  environment: Environment;
  /** The variable whose value is replaced; without it a new variable is added. */
  replaced?: { key: string; available_at_build: boolean } | undefined;
  taken: readonly string[];
  /** Called when a whole block was pasted into the name field. */
  onBlock: (text: string) => void;
  onClose: () => void;
}

export function VariableDialog({ projectId, environment, replaced, taken, onBlock, onClose }: Props) {
  const set = useSetVariables(projectId, environment);
  const [key, setKey] = useState(replaced?.key ?? '');
  const [value, setValue] = useState('');
  const [atBuild, setAtBuild] = useState(replaced?.available_at_build ?? false);
  const [problem, setProblem] = useState<string | null>(null);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (set.isPending) return;
    const found = variableKeyProblem(key);
    setProblem(found);
    if (found) {
      event.currentTarget.querySelector<HTMLElement>('input')?.focus();
      return;
    }
    set.mutate([{ key, value, available_at_build: atBuild }], { onSuccess: onClose });
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!/=|\n/.test(text)) return;
    event.preventDefault();
    onBlock(text);
  };
  const keyError = problem ?? fieldError(set.error, 'variables.0.key');
  return (
    <Dialog
      open
      onClose={onClose}
      title={replaced ? `Replace the value of ${replaced.key}` : 'Add variable'}
      description={`For ${environment}. It takes effect with the next deployment.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={set.isPending}>
            {replaced || taken.includes(key) ? 'Replace value' : 'Add variable'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{keyError ? undefined : failureText(set.error, 'Failed to save the variable. Nothing was changed.')}</FormError>
        {replaced ? null : (
          <Field
            label="Name"
            required
            error={keyError}
            hint={taken.includes(key) ? `${key} already exists; its value will be replaced.` : 'To add a whole .env file, paste it here.'}
          >
            <Input
              value={key}
              mono
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onPaste={onPaste}
              onChange={(event) => {
                setKey(event.target.value.trim());
                setProblem(null);
              }}
            />
          </Field>
        )}
        <Field
          label="Value"
          hint="Stored encrypted. It cannot be read again, only replaced."
          error={fieldError(set.error, 'variables.0.value')}
        >
          <Textarea value={value} rows={2} mono autoComplete="off" spellCheck={false} onChange={(event) => setValue(event.target.value)} />
        </Field>
        <div>
          <Switch label="Available at build" checked={atBuild} onChange={(event) => setAtBuild(event.target.checked)} />
          <p className="text-sm text-muted">
            If on, the build command can read it too, not only the running agent. Installing packages never can.
          </p>
        </div>
      </div>
    </Dialog>
  );
}
