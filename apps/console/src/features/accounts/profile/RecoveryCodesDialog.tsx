import type { Profile } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { ProofFields } from './ProofFields.tsx';
import { given, useRenewProfile, useRenewRecoveryCodes } from './queries.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** Replaces the recovery codes with ten new ones. */
export function RecoveryCodesDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const renewCodes = useRenewRecoveryCodes();
  const renewProfile = useRenewProfile();
  const [proof, setProof] = useState({ password: '', code: '' });
  if (renewCodes.data)
    return (
      <RecoveryCodes
        title="New recovery codes"
        codes={renewCodes.data.recovery_codes}
        onStored={() => {
          void renewProfile();
          onClose();
        }}
      />
    );
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!renewCodes.isPending) renewCodes.mutate({ ...given(profile, proof.password), code: proof.code });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New recovery codes"
      description="Your current codes will stop working."
      size="small"
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={renewCodes.isPending}>
            Generate new codes
          </Button>
        </>
      }
    >
      <ProofFields profile={profile} proof={proof} onChange={setProof} error={renewCodes.error} />
    </Dialog>
  );
}
