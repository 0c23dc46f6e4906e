import type { Budget, BudgetKind } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, fieldError } from '../../api/failure.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Select } from '../../ui/controls/Select.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Meter } from '../../ui/feedback/Meter.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { projectsQuery } from '../projects/queries.ts';
import { budgetsQuery, useSetBudget } from './queries.ts';
import { messages, priceText } from './words.ts';

const wholeTeam = 'The whole team';
const budgetKinds = ['usage', 'models'] as const satisfies BudgetKind[];
const kinds: Record<BudgetKind, string> = { usage: 'Usage of Paddock', models: 'Model cost' };
function budgetName({ kind, project_id, project_name }: Budget): string {
  const project = project_name ?? project_id;
  return kind === 'models' ? `Model cost of ${project ?? 'the whole team'}` : (project ?? wholeTeam);
}

/** The monthly budgets, which open alerts when they are used up. */
export function Budgets() {
  const query = useQuery(budgetsQuery);
  const { data } = query;
  return (
    <div className="mt-4">
      <Card title="Budgets">
        <p className="mb-3 max-w-text text-muted">
          At 50, 80 and 100 % of a budget, an alert opens once a month and is sent to the team by e-mail and to its channels. Nothing is
          stopped.
        </p>
        <Loaded query={query} failed={messages.budgets} />
        {data && data.length > 0 ? (
          <ul aria-label="Budgets" className="mb-4 flex list-none flex-col gap-3">
            {data.map((budget) => (
              <Row key={`${budget.kind} ${budget.project_id ?? ''}`} budget={budget} />
            ))}
          </ul>
        ) : null}
        {data ? <BudgetForm /> : null}
      </Card>
    </div>
  );
}

function Row({ budget }: { budget: Budget }) {
  const { kind, project_id, amount, spent } = budget;
  const set = useSetBudget();
  const name = budgetName(budget);
  const remove = () => set.mutate({ kind, project_id, amount: null }, { onSuccess: () => toast.success(`Budget for ${name} removed`) });
  const part = spent / amount;
  const low = part >= 0.5 ? 'warning' : 'accent';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-60">
        <Meter
          label={name}
          value={spent}
          max={amount}
          text={`${priceText(spent)} of ${priceText(amount)}`}
          tone={part >= 1 ? 'error' : low}
        />
      </div>
      <Button variant="quiet" busy={set.isPending} onClick={remove} aria-label={`Remove budget for ${name}`}>
        Remove
      </Button>
      <div className="contents has-[p]:block has-[p]:basis-full">
        <FormError>{failureText(set.error, messages.save)}</FormError>
      </div>
    </li>
  );
}

function BudgetForm() {
  const { data: projects = [] } = useQuery(projectsQuery);
  const set = useSetBudget();
  const [kind, setKind] = useState<BudgetKind>('usage');
  const [of, setOf] = useState('');
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string>();
  const send = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim();
    const amount = Number(text);
    const isRight = /^\d+(\.\d{1,2})?$/.test(text) && amount >= 0.01 && amount <= 1_000_000;
    setWrong(isRight ? undefined : 'Enter an amount from 0.01 to 1000000 dollars, such as 25 or 12.50.');
    if (!isRight) return;
    set.mutate(
      { kind, project_id: of || null, amount },
      {
        onSuccess: () => {
          toast.success('Budget saved');
          setTyped('');
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 basis-48">
          <Field label="Budget of">
            <Select value={kind} onChange={(event) => setKind(event.target.value === 'models' ? 'models' : 'usage')}>
              {budgetKinds.map((each) => (
                <option key={each} value={each}>
                  {kinds[each]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 basis-60">
          <Field label="Budget for">
            <Select value={of} onChange={(event) => setOf(event.target.value)}>
              <option value="">{wholeTeam}</option>
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="min-w-0 basis-60">
          <Field label="Dollars per month" error={wrong ?? fieldError(set.error, 'amount')}>
            <Input inputMode="decimal" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </div>
        <div className="pt-5.5">
          <Button type="submit" variant="primary" busy={set.isPending}>
            Save budget
          </Button>
        </div>
      </div>
      <FormError>{failureText(set.error, messages.save)}</FormError>
    </form>
  );
}
