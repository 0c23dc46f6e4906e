import { failureText } from '../../../api/failure.ts';
import { useSession } from '../../../api/session.ts';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { useVerifyEmail } from '../queries.ts';
import { useLinkToken } from './link-token.ts';

/** Asks for a click: programs that scan links in mail must not verify an address in a person's place. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const verify = useVerifyEmail();
  const isSignedIn = useSession() !== null;
  const onward = isSignedIn ? <ButtonLink to="/dashboard">Open dashboard</ButtonLink> : <ButtonLink to="/login">Sign in</ButtonLink>;

  if (verify.isSuccess)
    return (
      <AccountFrame title="E-mail address verified">
        <p role="status" className="mb-4 text-md">
          <b className="font-bold break-words">{verify.data}</b> is verified.
        </p>
        {onward}
      </AccountFrame>
    );
  const failure = token
    ? failureText(verify.error, 'The address could not be verified. Try again.')
    : 'This link is incomplete. Open the link in the e-mail again.';
  return (
    <AccountFrame title="Verify e-mail address" error={failure}>
      <div className="flex flex-col items-start gap-4">
        {token ? (
          <p className="text-base text-muted">Confirm that this account is yours. If you did not create it, close this page.</p>
        ) : (
          <p className="text-base text-muted">You can send the link again from your profile once you are signed in.</p>
        )}
        {token ? (
          <Button variant="primary" wide busy={verify.isPending} onClick={() => verify.mutate(token)}>
            {verify.isPending ? 'Verifying...' : 'Verify e-mail address'}
          </Button>
        ) : (
          onward
        )}
        {verify.error ? (
          <p className="text-base text-muted">You can send the link again from your profile once you are signed in.</p>
        ) : null}
      </div>
    </AccountFrame>
  );
}
