import type { Environment } from '@paddock/contract';
import { parseEnv } from '@paddock/contract/parse-env';
import { plural } from '@paddock/contract/plural';
import { type SubmitEvent, useMemo, useState } from 'react';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { Textarea } from '../../ui/controls/Textarea.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Dialog } from '../../ui/overlays/Dialog.tsx';
import { useSetVariables } from './queries.ts';

const shownProblems = 5;

interface Props {
  projectId: string;
  environment: Environment;
  text: string;
  taken: readonly string[];
  onClose: () => void;
}

/** Takes a whole .env file. Invalid lines are listed and skipped; the rest can be added. */
export function PasteDialog({ projectId, environment, text: pasted, taken, onClose }: Props) {
  const set = useSetVariables(projectId, environment);
  const [text, setText] = useState(pasted);
  const [atBuild, setAtBuild] = useState(false);
  const { variables, problems } = useMemo(() => parseEnv(text), [text]);
  const replacing = variables.filter(({ key }) => taken.includes(key)).map(({ key }) => key);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (set.isPending || variables.length === 0) return;
    set.mutate(
      variables.map((each) => ({ ...each, available_at_build: atBuild })),
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Paste .env"
      description={`For ${environment}. They take effect with the next deployment or restart.`}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={set.isPending} disabled={variables.length === 0}>
            Add {plural(variables.length, 'variable')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failureText(set.error, 'Failed to save the variables. Some of them may have been saved.')}</FormError>
        <Field label="Lines of NAME=value" hint="Comments and quotes are supported. Values are stored encrypted and cannot be read again.">
          <Textarea
            value={text}
            rows={9}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder={'OPENAI_API_KEY=sk-…\n# a comment\nGREETING="Hello there"'}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div role="status" className="text-sm">
          {replacing.length > 0 ? <p className="text-muted">Replaces the value of {replacing.join(', ')}.</p> : null}
          {problems.length > 0 ? (
            <ul className="text-error-fg">
              {problems.slice(0, shownProblems).map(({ line, message }) => (
                <li key={line}>
                  Line {line}: {message}
                </li>
              ))}
              {problems.length > shownProblems ? <li>and {problems.length - shownProblems} more</li> : null}
            </ul>
          ) : null}
        </div>
        <Switch label="Available at build" checked={atBuild} onChange={(event) => setAtBuild(event.target.checked)} />
      </div>
    </Dialog>
  );
}
