import { api } from '../../../api/api.ts';
import { failureText } from '../../../api/failure.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/controls/Button.tsx';

/** Mails the verification link again, and confirms it in place of the button. */
export function ResendVerification({ email }: { email: string }) {
  const resend = useAction({ mutationFn: (_: void, intention) => api.accounts.resendVerification({}, intention) });
  return (
    <>
      {resend.isSuccess ? null : (
        <Button busy={resend.isPending} onClick={() => resend.mutate()}>
          Send the link again
        </Button>
      )}
      <span role="status" className="text-sm break-words text-muted">
        {resend.isSuccess ? `A link was sent to ${email}.` : failureText(resend.error, 'The link could not be sent.')}
      </span>
    </>
  );
}
