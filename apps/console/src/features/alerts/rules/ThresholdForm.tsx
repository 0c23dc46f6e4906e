import type { AlertRule } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { useChangeRule } from './queries.ts';
import { boundsText, messages, readThreshold, ruleWords, writtenThreshold } from './words.ts';

interface Props {
  projectId: string;
  rule: AlertRule;
}

/** The threshold of a rule, in the displayed unit. It takes effect when it is saved. */
export function ThresholdForm({ projectId, rule }: Props) {
  const { rule: name, label, unit, threshold } = rule;
  const saved = writtenThreshold(unit, threshold);
  const [typed, setTyped] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const change = useChangeRule(projectId, name);
  const text = typed ?? saved;
  const isChanged = text.trim() !== saved;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readThreshold(rule, text);
    setWrong(typeof read === 'string' ? read : undefined);
    const form = event.currentTarget;
    if (typeof read !== 'number' || !isChanged || change.isPending) return;
    // Move the focus: the pressed button is hidden when there is nothing to save.
    form.querySelector('input')?.focus();
    change.mutate(
      { threshold: read },
      {
        onSuccess: () => {
          setTyped(undefined);
          toast.success(`${label} saved`);
        },
      },
    );
  };
  const words = ruleWords[name].threshold;
  return (
    <form onSubmit={submit} noValidate className="min-w-0">
      <Field label={words} hint={`A number ${boundsText(rule)}.`} error={wrong ?? failureText(change.error, messages.change)}>
        <span className="flex items-center gap-2">
          <Input
            value={text}
            inputMode="decimal"
            autoComplete="off"
            maxLength={20}
            aria-label={`${label}: ${words}`}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(undefined);
            }}
          />
          <span className={isChanged ? '' : 'invisible'}>
            <Button type="submit" busy={change.isPending} aria-label={`Save the threshold of ${label}`}>
              Save
            </Button>
          </span>
        </span>
      </Field>
    </form>
  );
}
