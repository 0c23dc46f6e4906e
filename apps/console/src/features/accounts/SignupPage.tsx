import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { failureText, fieldError } from '../../api/failure.ts';
import { PageLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { useSignup } from './queries.ts';
import { type SignupProblems, signupProblems } from './signup-form.ts';

/** `providers` are other ways to sign up. */
export function SignupPage({ providers }: { providers: ReactNode }) {
  const signup = useSignup();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<SignupProblems>({});
  useEffect(() => {
    if (signup.error || Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems, signup.error]);

  if (signup.isSuccess) return <AccountCreated email={signup.variables.email} />;

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (signup.isPending) return;
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name));
    const typed = {
      name: text('name'),
      email: text('email'),
      password: text('password'),
      confirm: text('confirm'),
      terms: data.has('terms'),
    };
    const found = signupProblems(typed);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    signup.mutate({ name: typed.name, email: typed.email, password: typed.password });
  };
  return (
    <AccountFrame
      title="Sign up"
      error={failureText(signup.error, 'Signup failed')}
      below={
        <>
          Have an account? <PageLink to="/login">Sign in</PageLink>
        </>
      }
    >
      <form ref={form} onSubmit={onSubmit} className="form-stack">
        <Field label="Full name" required error={fieldError(signup.error, 'name')}>
          <Input name="name" autoComplete="name" />
        </Field>
        <Field label="E-mail" required error={fieldError(signup.error, 'email')}>
          <Input name="email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" required hint="At least 8 characters" error={problems.password ?? fieldError(signup.error, 'password')}>
          <Input name="password" type="password" autoComplete="new-password" />
        </Field>
        <Field label="Confirm password" required error={problems.confirm}>
          <Input name="confirm" type="password" autoComplete="new-password" />
        </Field>
        <Checkbox
          name="terms"
          error={problems.terms}
          label={
            <>
              I accept the{' '}
              <PageLink to="/terms" target="_blank">
                Terms of Service
              </PageLink>{' '}
              and the{' '}
              <PageLink to="/privacy" target="_blank">
                Privacy Policy
              </PageLink>
            </>
          }
        />
        <Button type="submit" variant="primary" wide busy={signup.isPending}>
          {signup.isPending ? 'Creating account...' : 'Create account'}
        </Button>
      </form>
      {providers}
      <p className="mt-3 text-sm text-muted">By continuing with a provider, you accept the Terms of Service and the Privacy Policy.</p>
    </AccountFrame>
  );
}

const redirectMs = 3000;

function AccountCreated({ email }: { email: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/login' }), redirectMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <AccountFrame title="Account Created!">
      <p role="status" className="text-md">
        A verification e-mail was sent to <b className="font-bold break-words">{email}</b>. Open the link in it to verify your address. You
        can sign in before you do.
      </p>
      <p className="mt-4 text-base text-muted">
        You will return to sign-in in 3 seconds. <PageLink to="/login">Sign in now</PageLink>
      </p>
    </AccountFrame>
  );
}
