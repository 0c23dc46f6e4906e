import type { Policy } from '@paddock/contract';
import { textLimits } from '@paddock/contract/limits';
import { maxRuleLetters, policyStatuses, policyTypes } from '@paddock/contract/policy-rules';
import { type SubmitEvent, useDeferredValue, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, fieldError } from '../../../api/failure.ts';
import { readSession, watchSession } from '../../../api/session.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Select } from '../../../ui/controls/Select.tsx';
import { Textarea } from '../../../ui/controls/Textarea.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { DryRun } from './DryRun.tsx';
import { useSavePolicy } from './queries.ts';
import { RuleEffects } from './RuleEffects.tsx';
import { Templates } from './Templates.tsx';
import { understood } from './understood.ts';
import { messages, parseRules, statusLooks, typeWords } from './words.ts';

/** Maximum number of rules in the preview; the server refuses more in a policy anyway. */
const maxShown = 50;
const fresh = { name: '', description: '', type: 'data_retention', status: 'draft', text: '' } as const;
type Values = Pick<Policy, 'name' | 'description' | 'type' | 'status'> & { text: string };

/** Unsaved input, kept after Escape, the cross and Back. Saving, Cancel and the end of the session delete it. */
const unsaved = new Map<string, Values>();
watchSession(() => readSession() ?? unsaved.clear());

interface Props {
  /** The policy to change; without one a policy is created. */
  policy?: Policy;
  onClose: () => void;
}

/** The form of a policy. It shows for each typed rule whether Paddock will enforce it. */
export function PolicyForm({ policy, onClose }: Props) {
  // The policy when the form opened: the list behind it may be refetched meanwhile.
  const [read] = useState(policy);
  const form = `${read?.id} ${read?.updated_at}`;
  const [values, setValues] = useState<Values>(unsaved.get(form) ?? (policy ? { ...policy, text: policy.rules.join('\n') } : fresh));
  const [wasSent, setSent] = useState(false);
  const save = useSavePolicy(read);
  const { name, description, type, status, text } = values;
  const rules = parseRules(text);
  const wrong = { name: name.trim() === '' ? 'Enter a name for the policy.' : undefined, rules: wrongRules(rules) };
  const onChange = (change: Partial<Values>) =>
    setValues((before) => {
      const after = { ...before, ...change };
      unsaved.set(form, after);
      return after;
    });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const written = event.currentTarget;
    setSent(true);
    if (wrong.name || wrong.rules) {
      requestAnimationFrame(() => written.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    save.mutate(
      { name, description, type, status, rules },
      {
        onSuccess() {
          unsaved.delete(form);
          toast.success(policy ? messages.updated : messages.created);
          onClose();
        },
      },
    );
  };
  const reason = failureText(save.error, 'Check the connection to the server.');
  return (
    <Dialog
      open
      size="large"
      onClose={save.isPending ? () => undefined : onClose}
      title={policy ? 'Edit Policy' : 'Create Policy'}
      onSubmit={onSubmit}
      footer={
        <>
          <Button
            onClick={() => {
              unsaved.delete(form);
              onClose();
            }}
            disabled={save.isPending}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {policy ? 'Save changes' : 'Create'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{reason ? `${messages.failed}. ${reason}` : undefined}</FormError>
        <Fields
          values={values}
          errors={{
            name: (wasSent ? wrong.name : undefined) ?? fieldError(save.error, 'name'),
            rules: (wasSent ? wrong.rules : undefined) ?? fieldError(save.error, 'rules'),
          }}
          onChange={onChange}
        />
        <Preview text={text} />
        <DryRun rules={rules} />
      </div>
    </Dialog>
  );
}

function wrongRules(rules: readonly string[]): string | undefined {
  if (rules.length === 0) return 'Enter at least one rule.';
  const long = rules.findIndex((rule) => rule.length > maxRuleLetters);
  return long < 0 ? undefined : `Rule ${long + 1} is longer than ${maxRuleLetters} characters.`;
}

interface FieldsProps {
  values: Values;
  errors: { name: string | undefined; rules: string | undefined };
  onChange: (change: Partial<Values>) => void;
}

function Fields({ values: { name, description, type, status, text }, errors, onChange }: FieldsProps) {
  return (
    <>
      <Field label="Name" required error={errors.name}>
        <Input
          value={name}
          maxLength={textLimits.policyName}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Type" required>
          <Select value={type} onChange={(event) => onChange({ type: event.target.value as Values['type'] })}>
            {policyTypes.map((each) => (
              <option key={each} value={each}>
                {typeWords[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Status" required>
          <Select value={status} onChange={(event) => onChange({ status: event.target.value as Values['status'] })}>
            {policyStatuses.map((each) => (
              <option key={each} value={each}>
                {statusLooks[each].word}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Description (optional)">
        <Textarea
          value={description}
          rows={2}
          maxLength={textLimits.policyDescription}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
      <Field label="Rules" required hint="One rule per line. Blank lines are dropped." error={errors.rules}>
        <Textarea value={text} rows={5} spellCheck={false} onChange={(event) => onChange({ text: event.target.value })} />
      </Field>
      <Templates type={type} onAdd={(rule) => onChange({ text: text.trim() === '' ? rule : `${text.trimEnd()}\n${rule}` })} />
    </>
  );
}

/** The effect of each rule while the policy is active. */
function Preview({ text }: { text: string }) {
  const rules = parseRules(useDeferredValue(text));
  if (rules.length === 0) return null;
  return (
    <section aria-labelledby="effects">
      <h3 id="effects" className="mb-1.5 text-sm font-semibold">
        Effects while the policy is active
      </h3>
      <RuleEffects label="Effects" rules={rules.slice(0, maxShown).map(understood)} />
    </section>
  );
}
