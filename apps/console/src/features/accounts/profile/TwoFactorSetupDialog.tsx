import type { Profile } from '@paddock/contract';
import { type SubmitEvent, useCallback, useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { CodeSample } from '../../../ui/text/CodeSample.tsx';
import { CodeField, PasswordField } from './ProofFields.tsx';
import { QrCode } from './QrCode.tsx';
import { given, useConfirmSecondFactor, useRenewProfile, useSetUpSecondFactor } from './queries.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Password, then the secret and a first code, then the recovery codes. Nothing takes effect before the first code. */
export function TwoFactorSetupDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const setUp = useSetUpSecondFactor();
  const confirm = useConfirmSecondFactor();
  const renew = useRenewProfile();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // Typing the code is the next thing to do, so its field takes the focus.
  const codeStep = useCallback((step: HTMLElement | null) => step?.querySelector('input')?.focus(), []);
  const close = () => {
    if (confirm.data) void renew();
    onClose();
  };
  if (confirm.data) return <RecoveryCodes title="Two-factor sign-in is on" codes={confirm.data.recovery_codes} onStored={close} />;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (setUp.isPending || confirm.isPending) return;
    if (setUp.data) confirm.mutate(code);
    else setUp.mutate(given(profile, password));
  };
  return (
    <Dialog
      open
      onClose={close}
      title="Set up two-factor sign-in"
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={setUp.isPending || confirm.isPending}>
            {setUp.data ? 'Switch on' : 'Continue'}
          </Button>
        </>
      }
    >
      {setUp.data ? (
        <div ref={codeStep} className="flex flex-col gap-4">
          <p className="text-base text-muted">
            Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.
          </p>
          <div className="flex justify-center">
            <QrCode text={setUp.data.uri} label="QR code of the secret for your authenticator app" />
          </div>
          <div>
            <p className="mb-1 text-sm font-semibold">Secret</p>
            <CodeSample code={setUp.data.secret.replaceAll(/.{4}(?!$)/g, '$& ')} label="Secret for your authenticator app" />
          </div>
          <CodeField value={code} onChange={setCode} error={confirm.error} appOnly />
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          {profile.has_password ? (
            <PasswordField value={password} onChange={setPassword} error={setUp.error} />
          ) : (
            <>
              <FormError>{failureText(setUp.error, 'The setup could not be started. Nothing was changed.')}</FormError>
              <p className="text-base text-muted">You need an authenticator app on your phone or in your password manager.</p>
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}
