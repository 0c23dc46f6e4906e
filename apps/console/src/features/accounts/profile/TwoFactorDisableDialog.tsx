import type { Profile } from '@paddock/contract';
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { ProofFields } from './ProofFields.tsx';
import { given, useDisableSecondFactor } from './queries.ts';

export function TwoFactorDisableDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const disable = useDisableSecondFactor();
  const [proof, setProof] = useState({ password: '', code: '' });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!disable.isPending) disable.mutate({ ...given(profile, proof.password), code: proof.code }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Switch off two-factor sign-in?"
      description="Signing in will require only your password, and your recovery codes will stop working."
      size="small"
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={disable.isPending}>
            Switch off
          </Button>
        </>
      }
    >
      <ProofFields profile={profile} proof={proof} onChange={setProof} error={disable.error} />
    </Dialog>
  );
}
