import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { failureText } from '../../app/failure.ts';
import { ButtonLink } from '../../app/links.tsx';
import { useSession } from '../../app/session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { useLinkToken } from './link-token.ts';

/** Where the link to a new e-mail address leads. Asks for a click, like the page that verifies an address, and for the same reason. */
export function ConfirmEmailPage() {
  const token = useLinkToken();
  const isSignedIn = useSession() !== null;
  const confirm = useMutation({ mutationFn: () => api.profile.confirmEmail({ token }) });
  const onward = isSignedIn ? <ButtonLink to="/settings">Open settings</ButtonLink> : <ButtonLink to="/login">Sign in</ButtonLink>;
  if (confirm.isSuccess)
    return (
      <AccountFrame title="E-mail address changed">
        <p role="status" className="mb-4 text-md">
          Your new address is verified, and you sign in with it from now on. Your other sessions have ended.
        </p>
        {onward}
      </AccountFrame>
    );
  return (
    <AccountFrame title="Change e-mail address">
      <div className="flex flex-col items-start gap-4">
        <FormError>
          {token
            ? failureText(confirm.error, 'The address could not be changed. Try again.')
            : 'This address has no link token. Open the link of the mail as it is.'}
        </FormError>
        {token ? (
          <>
            <p className="text-base text-muted">
              Confirm that this address belongs to your account from now on. If you did not ask for it, close this page.
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
