import { api } from '../../../api/api.ts';
import { failureText } from '../../../api/failure.ts';
import { useSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { useLinkToken } from './link-token.ts';

/** Target of the link mailed to a new e-mail address. Asks for a click, for the same reason as the page that verifies an address. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const isSignedIn = useSession() !== null;
  const confirm = useAction({ mutationFn: (_: void, intention) => api.profile.confirmEmail({ token }, intention) });
  const onward = isSignedIn ? <ButtonLink to="/settings">Open settings</ButtonLink> : <ButtonLink to="/login">Sign in</ButtonLink>;
  if (confirm.isSuccess)
    return (
      <AccountFrame title="E-mail address changed">
        <p role="status" className="mb-4 text-md">
          Your new address is verified. Use it to sign in from now on. Your other sessions have ended.
        </p>
        {onward}
      </AccountFrame>
    );
  const failure = token
    ? failureText(confirm.error, 'The address could not be changed. Try again.')
    : 'This link is incomplete. Open the link in the e-mail again.';
  return (
    <AccountFrame title="Change e-mail address" error={failure}>
      <div className="flex flex-col items-start gap-4">
        {token ? (
          <>
            <p className="text-base text-muted">
              Confirm the new e-mail address of your account. If you did not request this change, close this page.
            </p>
            <Button variant="primary" wide busy={confirm.isPending} onClick={() => confirm.mutate()}>
              {confirm.isPending ? 'Changing...' : 'Change e-mail address'}
            </Button>
          </>
        ) : (
          onward
        )}
      </div>
    </AccountFrame>
  );
}
