import { isSameAddress } from '@paddock/contract/email-address';
import { type SubmitEvent, useState } from 'react';
import { failureText, fieldError } from '../../../api/failure.ts';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { demoEmail, demoPassword } from '../demo-account.ts';
import { useForgotPassword } from '../queries.ts';

export function ForgotPasswordPage() {
  const forgot = useForgotPassword();
  const [isDemo, setDemo] = useState(false);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (forgot.isPending) return;
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    const isDemoAddress = isSameAddress(email, demoEmail);
    setDemo(isDemoAddress);
    if (!isDemoAddress) forgot.mutate(email);
  };
  const back = <PageLink to="/login">Back to sign-in</PageLink>;
  if (forgot.isSuccess)
    return (
      <AccountFrame title="Check your e-mail" below={back}>
        <p role="status" className="text-md">
          If <b className="font-bold break-words">{forgot.variables}</b> has an account, a link to set a new password is on its way.
        </p>
        <p className="mt-4 text-base text-muted">
          It works once, within 1 hour. If it does not arrive within a few minutes, check your spam folder or try again.
        </p>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Forgot password" error={failureText(forgot.error, 'The link could not be requested. Try again.')} below={back}>
      <form onSubmit={onSubmit} className="form-stack">
        <p className="text-base text-muted">Enter the e-mail address of your account to receive a link for setting a new password.</p>
        <Field label="E-mail" required error={fieldError(forgot.error, 'email')}>
          <Input name="email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Button type="submit" variant="primary" wide busy={forgot.isPending}>
          {forgot.isPending ? 'Sending...' : 'Send link'}
        </Button>
        <div role="status" className="empty:absolute">
          {isDemo ? (
            <Banner>
              The demo account does not need a link. Sign in with {demoEmail} / {demoPassword}.
            </Banner>
          ) : null}
        </div>
      </form>
    </AccountFrame>
  );
}
