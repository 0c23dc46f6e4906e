import { failureText } from '../../app/failure.ts';
import { useSession } from '../../app/session.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { useResendVerification } from './queries.ts';

/** Says that the signed-in person's address is not verified yet, and sends the link again. Nothing once it is. */
export function VerificationHint() {
  const user = useSession()?.user;
  const resend = useResendVerification();
  if (!user || user.email_verified) return null;
  const failure = failureText(resend.error, 'The link could not be sent. Try again.');
  return (
    <Banner
      tone={failure ? 'error' : 'warning'}
      action={
        resend.isSuccess ? undefined : (
          <Button busy={resend.isPending} onClick={() => resend.mutate()}>
            {resend.isPending ? 'Sending...' : 'Send link again'}
          </Button>
        )
      }
    >
      <span role="status">
        {failure ??
          (resend.isSuccess
            ? `A new link is on its way to ${user.email}. The one before does not work any more.`
            : `${user.email} is not verified yet. Open the link that was mailed to it.`)}
      </span>
    </Banner>
  );
}
