import { type ComponentType, type ReactNode, type SubmitEvent, useRef } from 'react';
import { failureText } from '../../api/failure.ts';
import { formerSession } from '../../api/session.ts';
import { PageLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Checkbox } from '../../ui/controls/Checkbox.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { CodeStep, codeStepFailure, wantsCode } from './CodeStep.tsx';
import { demoEmail, demoPassword } from './demo-account.ts';
import { useLogin } from './queries.ts';

type Props = {
  title?: string;
  banner?: ReactNode;
  /** Sign-in providers; `remember` returns whether the session is to be remembered. */
  Providers: ComponentType<{ remember: () => boolean }>;
};

export function LoginPage({ title = 'Sign in', banner, Providers }: Props) {
  const login = useLogin();
  const form = useRef<HTMLFormElement>(null);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (login.isPending) return;
    const data = new FormData(event.currentTarget);
    login.mutate({ email: String(data.get('email')), password: String(data.get('password')), remember: data.has('remember') });
  };
  const isSecondStep = wantsCode(login);
  const former = formerSession();
  const ended = former?.wasLeft === false ? former.user : undefined;
  // Other pages open in a new tab, since the command-line login waits on this page.
  const elsewhere = banner ? { target: '_blank' } : {};
  return (
    <AccountFrame
      title={isSecondStep ? 'Two-factor sign-in' : title}
      error={
        isSecondStep ? codeStepFailure(login) : failureText(login.error, `Login failed. Try demo account: ${demoEmail} / ${demoPassword}`)
      }
      below={
        <>
          No account yet?{' '}
          <PageLink to="/signup" {...elsewhere}>
            Sign up
          </PageLink>
        </>
      }
    >
      {banner ??
        (ended ? (
          <div className="mb-4" role="status">
            <Banner>Your session has ended. Sign in to go on where you were.</Banner>
          </div>
        ) : null)}
      {isSecondStep ? <CodeStep login={login} /> : null}
      {/* Stays mounted during the code step, so that its input is kept. */}
      <form ref={form} onSubmit={onSubmit} hidden={isSecondStep} className="form-stack [&[hidden]]:hidden">
        <Field label="E-mail" required>
          <Input name="email" type="email" defaultValue={ended?.email} autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" required>
          <Input name="password" type="password" autoComplete="current-password" />
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox name="remember" label="Remember me" />
          <PageLink to="/forgot-password" {...elsewhere}>
            Forgot password?
          </PageLink>
        </div>
        <Button type="submit" variant="primary" wide busy={login.isPending}>
          {login.isPending ? 'Signing in...' : 'Sign in'}
        </Button>
      </form>
      {banner || isSecondStep ? null : (
        <div className="mt-2">
          <Button variant="quiet" wide onClick={() => login.mutate({ email: demoEmail, password: demoPassword, remember: false })}>
            Explore the demo
          </Button>
        </div>
      )}
      {isSecondStep ? null : <Providers remember={() => new FormData(form.current ?? undefined).has('remember')} />}
    </AccountFrame>
  );
}
