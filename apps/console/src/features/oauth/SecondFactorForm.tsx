import { ApiError } from '@paddock/contract/errors';
import type { SubmitEvent } from 'react';
import { failureText } from '../../api/failure.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';

type Props = {
  submit: (code: string) => Promise<unknown>;
  onDone: () => void;
  /** Called if the sign-in must be started again. */
  onGone: (message: string) => void;
};

/** Asks for the second factor after the provider has authenticated the person. */
export function SecondFactorForm({ submit, onDone, onGone }: Props) {
  const sending = useAction({
    mutationFn: submit,
    onSuccess: onDone,
    onError: (error) => {
      const isOver = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
      if (isOver && error.code !== 'second_factor_wrong' && error.code !== 'second_factor_required') onGone(error.message);
    },
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code')).trim();
    if (code && !sending.isPending) sending.mutate(code);
  };
  return (
    <form onSubmit={onSubmit} className="form-stack">
      <Field label="Code" required hint="Six digits from your authenticator app, or a recovery code">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has nothing else to do */}
        <Input name="code" autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} autoFocus mono />
      </Field>
      <Button type="submit" variant="primary" wide busy={sending.isPending}>
        {sending.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
      <FormError>{failureText(sending.error, 'Failed to complete OAuth authentication')}</FormError>
    </form>
  );
}
