import { ApiError } from '@paddock/contract/errors';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { ButtonLink, PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { useResetPassword } from '../queries.ts';
import { newPasswordProblems } from '../signup-form.ts';
import { useLinkToken } from './link-token.ts';

export function ResetPasswordPage() {
  const token = useLinkToken();
  const reset = useResetPassword();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<ReturnType<typeof newPasswordProblems>>({});
  useEffect(() => {
    if (reset.error || Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, reset.error]);

  if (reset.isSuccess)
    return (
      <AccountFrame title="Password changed">
        <p role="status" className="mb-4 text-md">
          Use your new password to sign in. All sessions of the account have ended.
        </p>
        <ButtonLink to="/login" variant="primary">
          Sign in
        </ButtonLink>
      </AccountFrame>
    );
  const isVoid = reset.error instanceof ApiError && reset.error.code === 'link_invalid';
  if (!token || isVoid)
    return (
      <AccountFrame title="New password" below={<PageLink to="/login">Back to sign-in</PageLink>}>
        <div className="flex flex-col items-start gap-4">
          <FormError>{isVoid ? failureText(reset.error, '') : 'This link is incomplete. Open the link in the e-mail again.'}</FormError>
          <ButtonLink to="/forgot-password">Request a new link</ButtonLink>
        </div>
      </AccountFrame>
    );

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (reset.isPending) return;
    const data = new FormData(event.currentTarget);
    const typed = { password: String(data.get('password')), confirm: String(data.get('confirm')) };
    const found = newPasswordProblems(typed);
    setProblems(found);
    if (Object.keys(found).length === 0) reset.mutate({ token, password: typed.password });
  };
  return (
    <AccountFrame
      title="New password"
      error={failureText(reset.error, 'The password could not be set. Try again.')}
      below={<PageLink to="/login">Back to sign-in</PageLink>}
    >
      <form ref={form} onSubmit={onSubmit} className="form-stack">
        <Field label="New password" required hint="At least 8 characters" error={problems.password ?? fieldError(reset.error, 'password')}>
          <Input name="password" type="password" autoComplete="new-password" />
        </Field>
        <Field label="Confirm password" required error={problems.confirm}>
          <Input name="confirm" type="password" autoComplete="new-password" />
        </Field>
        <p className="text-sm text-muted">All sessions of the account will end, here and elsewhere.</p>
        <Button type="submit" variant="primary" wide busy={reset.isPending}>
          {reset.isPending ? 'Setting password...' : 'Set new password'}
        </Button>
      </form>
    </AccountFrame>
  );
}
