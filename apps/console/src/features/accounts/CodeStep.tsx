import { ApiError } from '@paddock/contract/errors';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Input } from '../../ui/controls/Input.tsx';
import type { useLogin } from './queries.ts';

type Login = ReturnType<typeof useLogin>;

/** Whether the password was right and the account requires a code: then `CodeStep` replaces the form. */
export const wantsCode = ({ error, variables }: Pick<Login, 'error' | 'variables'>): boolean =>
  variables?.code !== undefined || (error instanceof ApiError && error.code === 'second_factor_required');

/** The failure of the request that checks the code. A wrong code is reported at the field instead. */
export const codeStepFailure = ({ error }: Pick<Login, 'error'>): string | undefined =>
  error instanceof ApiError && (error.code === 'second_factor_required' || error.code === 'second_factor_wrong')
    ? undefined
    : failureText(error, 'The server cannot be reached. Try again.');

/** The second step of signing in. The input of the first step is sent again with the code; 'Back' shows it unchanged. */
export function CodeStep({ login }: { login: Login }) {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const field = useRef<HTMLDivElement>(null);
  const { variables } = login;
  const isWrong = login.error instanceof ApiError && login.error.code === 'second_factor_wrong';
  // Focus the field at the start, after each refusal and after a change of the kind of code: it is the only thing to do here.
  // oxlint-disable-next-line react/exhaustive-deps -- not read, but what brings the focus back
  useEffect(() => field.current?.querySelector('input')?.focus(), [login.error, isRecovery]);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (variables && !login.isPending) login.mutate({ ...variables, code });
  };
  return (
    <form onSubmit={onSubmit} className="form-stack">
      <p className="text-base text-muted">
        {isRecovery ? 'Enter one of your recovery codes. Each code works once.' : 'Enter the six-digit code from your authenticator app.'}
      </p>
      <div ref={field}>
        <Field label={isRecovery ? 'Recovery code' : 'Code'} required error={isWrong ? failureText(login.error, '') : undefined}>
          <Input
            key={String(isRecovery)}
            name="code"
            value={code}
            mono
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" variant="primary" wide busy={login.isPending}>
        {login.isPending ? 'Signing in...' : 'Sign in'}
      </Button>
      <div className="flex flex-wrap justify-between gap-2.5">
        <Button variant="ghost" onClick={() => login.reset()}>
          Back
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            setRecovery(!isRecovery);
            setCode('');
          }}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      </div>
    </form>
  );
}
