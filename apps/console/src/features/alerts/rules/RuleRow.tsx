import type { AlertRule } from '@paddock/contract';
import { useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Switch } from '../../../ui/controls/Switch.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useChangeRule, useResetRule } from './queries.ts';
import { ThresholdForm } from './ThresholdForm.tsx';
import { defaultText, messages, ruleWords } from './words.ts';

interface Props {
  projectId: string;
  rule: AlertRule;
}

/** A rule with its switch, its threshold, and a button that restores the defaults. */
export function RuleRow({ projectId, rule }: Props) {
  const { rule: name, label, is_on, is_default } = rule;
  const row = useRef<HTMLLIElement>(null);
  const turn = useChangeRule(projectId, name);
  const reset = useResetRule(projectId, name);
  /** The pressed state of the switch until the server has responded: the switch moves at once. */
  const [wanted, setWanted] = useState<boolean>();
  const press = (to: boolean) => {
    if (wanted !== undefined) return;
    setWanted(to);
    turn.mutate({ is_on: to }, { onSettled: () => setWanted(undefined) });
  };
  const back = () =>
    reset.mutate(undefined, {
      onSuccess: () => {
        toast.success(`${label} reset to default`);
        // The pressed button disappears.
        row.current?.querySelector('input')?.focus();
      },
    });
  return (
    <li
      ref={row}
      aria-labelledby={`rule-${name}`}
      className="grid min-w-0 gap-x-6 gap-y-2 border-t border-border px-3.5 py-3 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]"
    >
      <div className="min-w-0">
        <Switch
          label={
            <span id={`rule-${name}`} className="font-semibold">
              {label}
            </span>
          }
          checked={wanted ?? is_on}
          aria-describedby={`rule-${name}-when`}
          onChange={(event) => press(event.target.checked)}
        />
        <p id={`rule-${name}-when`} className="max-w-text text-muted">
          {ruleWords[name].when}
        </p>
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          Default: {defaultText(name)}
          {is_default ? null : (
            <Button variant="quiet" busy={reset.isPending} onClick={back} aria-label={`Reset to default: ${label}`}>
              Reset to default
            </Button>
          )}
        </div>
      </div>
      <ThresholdForm projectId={projectId} rule={rule} />
      <div className="contents has-[p]:block sm:col-span-2">
        <FormError>{failureText(turn.error ?? reset.error, messages.change)}</FormError>
      </div>
    </li>
  );
}
