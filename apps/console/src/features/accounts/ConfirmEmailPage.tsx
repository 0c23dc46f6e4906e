import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { failureText } from '../../app/failure.ts';
import { PageLink } from '../../app/links.tsx';
import { useSession } from '../../app/session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { takeLinkToken } from './link-token.ts';

/** Where the link to a new e-mail address leads. It changes the address by itself: whoever opened it reads that mailbox. */
export function ConfirmEmailPage() {
  const [token] = useState(takeLinkToken);
  const isSignedIn = useSession() !== null;
  const confirm = useMutation({ mutationFn: (given: string) => api.profile.confirmEmail({ token: given }) });
  const { mutate } = confirm;
  const sent = useRef(false);
  useEffect(() => {
    // Once: the link works once, and this may run twice.
    if (token === null || sent.current) return;
    sent.current = true;
    mutate(token);
  }, [token, mutate]);
  const onward = isSignedIn ? <PageLink to="/settings">Back to your profile</PageLink> : <PageLink to="/login">Sign in</PageLink>;
  if (token === null)
    return (
      <AccountFrame title="Change of e-mail address" below={onward}>
        <FormError>This address has no token. Open the link of the mail as a whole.</FormError>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Change of e-mail address" below={confirm.isPending || confirm.isIdle ? undefined : onward}>
      <FormError>{failureText(confirm.error, 'The server cannot be reached. The link still works.')}</FormError>
      {confirm.isError ? (
        <div className="mt-4">
          <Button onClick={() => mutate(token)}>Try again</Button>
        </div>
      ) : (
        <p role="status" className="text-md">
          {confirm.isSuccess ? 'Your e-mail address was changed, and it is verified. Other sessions have ended.' : 'Confirming…'}
        </p>
      )}
    </AccountFrame>
  );
}
