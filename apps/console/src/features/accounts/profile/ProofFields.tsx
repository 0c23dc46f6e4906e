import type { Profile } from '@paddock/contract';
import { failureText, fieldError } from '../../../api/failure.ts';
import { Field } from '../../../ui/controls/Field.tsx';
import { Input } from '../../../ui/controls/Input.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';

type Props = {
  value: string;
  onChange: (value: string) => void;
  /** Error of the call that took the value: shown at the field if it concerns the field, else above it. */
  error: unknown;
};

/** The current password. */
export function PasswordField({ value, onChange, error }: Props) {
  const wrong = fieldError(error, 'password');
  return (
    <>
      <FormError>
        {wrong || fieldError(error, 'code') ? undefined : failureText(error, 'The request failed. Nothing was changed.')}
      </FormError>
      <Field label="Your password" required error={wrong}>
        <Input value={value} type="password" autoComplete="current-password" onChange={(event) => onChange(event.target.value)} />
      </Field>
    </>
  );
}

/** The current password; an account without a password shows only the error of the call. */
export const PasswordProof = ({ hasPassword, ...rest }: Props & { hasPassword: boolean }) =>
  hasPassword ? <PasswordField {...rest} /> : <FormError>{failureText(rest.error, 'The request failed. Nothing was changed.')}</FormError>;

/** A code from the authenticator app, or a recovery code. */
export function CodeField({ value, onChange, error, appOnly = false }: Props & { appOnly?: boolean }) {
  const wrong = fieldError(error, 'code');
  return (
    <>
      {appOnly ? <FormError>{wrong ? undefined : failureText(error, 'The request failed. Nothing was changed.')}</FormError> : null}
      <Field label={appOnly ? 'Code from the app' : 'Code from the app, or a recovery code'} required error={wrong}>
        <Input
          value={value}
          mono
          inputMode={appOnly ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </>
  );
}

type BothProps = {
  profile: Profile;
  proof: { password: string; code: string };
  onChange: (proof: { password: string; code: string }) => void;
  error: unknown;
};

/** Password and code; accounts without a password give only the code. */
export const ProofFields = ({ profile, proof, onChange, error }: BothProps) => (
  <div className="flex flex-col gap-4">
    {profile.has_password ? (
      <PasswordField value={proof.password} onChange={(password) => onChange({ ...proof, password })} error={error} />
    ) : (
      <FormError>{fieldError(error, 'code') ? undefined : failureText(error, 'The request failed. Nothing was changed.')}</FormError>
    )}
    <CodeField value={proof.code} onChange={(code) => onChange({ ...proof, code })} error={error} />
  </div>
);
