import type { Profile } from '@paddock/contract';
import { passwordProblem } from '@paddock/contract/rules';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { useChangePassword } from './queries.ts';

type Problems = { fresh?: string; confirm?: string };

export function PasswordForm({ profile }: { profile: Profile }) {
  const change = useChangePassword();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  useEffect(() => {
    if (change.error || Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, change.error]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending) return;
    const data = new FormData(event.currentTarget);
    const [current, fresh, confirm] = ['current', 'fresh', 'confirm'].map((name) => String(data.get(name) ?? ''));
    const found = findProblems(fresh ?? '', confirm ?? '');
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    change.mutate(
      { new_password: fresh ?? '', ...(profile.has_password ? { current_password: current ?? '' } : {}) },
      { onSuccess: () => form.current?.reset() },
    );
  };
  const [currentProblem, freshProblem] = ['current_password', 'new_password'].map((path) => fieldError(change.error, path));
  return (
    <Card title={profile.has_password ? 'Change Password' : 'Set Password'}>
      <form ref={form} onSubmit={onSubmit} className="form-stack">
        {/* Lets password managers know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
        {profile.has_password ? (
          <Field label="Current password" required error={currentProblem}>
            <Input name="current" type="password" autoComplete="current-password" />
          </Field>
        ) : (
          <p className="text-base text-muted">You sign in with a provider. Set a password to be able to sign in without it, too.</p>
        )}
        <Field label="New password" required hint="At least 8 characters" error={problems.fresh ?? freshProblem}>
          <Input name="fresh" type="password" autoComplete="new-password" />
        </Field>
        <Field label="Confirm new password" required error={problems.confirm}>
          <Input name="confirm" type="password" autoComplete="new-password" />
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={change.isPending}>
            {profile.has_password ? 'Change password' : 'Set password'}
          </Button>
          <span className="text-sm text-muted">Your other sessions will end.</span>
        </div>
        <FormError>
          {currentProblem || freshProblem ? undefined : failureText(change.error, 'Failed to change the password. Nothing was changed.')}
        </FormError>
      </form>
    </Card>
  );
}

function findProblems(fresh: string, confirm: string): Problems {
  const tooWeak = passwordProblem(fresh);
  return { ...(tooWeak ? { fresh: tooWeak } : {}), ...(fresh === confirm ? {} : { confirm: 'Passwords do not match' }) };
}
