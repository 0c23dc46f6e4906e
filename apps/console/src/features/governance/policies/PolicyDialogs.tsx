import type { Policy } from '@paddock/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import type { Go, GovernanceView } from '../view.ts';
import { PolicyDialog } from './PolicyDialog.tsx';
import { PolicyForm } from './PolicyForm.tsx';

interface Props {
  view: GovernanceView;
  go: Go;
  /** Undefined while loading. */
  policies: readonly Policy[] | undefined;
}

/** The policy dialog that is open according to the address. */
export function PolicyDialogs({ view: { policy: id, open }, go, policies }: Props) {
  const close = () => go({ policy: undefined, open: undefined });
  if (open === 'new') return <PolicyForm onClose={close} />;
  if (id === undefined || policies === undefined) return null;
  const policy = policies.find((each) => each.id === id);
  if (!policy)
    return (
      <Dialog
        open
        size="small"
        onClose={close}
        title="Policy"
        footer={
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        }
      >
        Policy not found. It may have been deleted.
      </Dialog>
    );
  if (open === 'edit') return <PolicyForm key={id} policy={policy} onClose={close} />;
  return <PolicyDialog key={id} policy={policy} onEdit={() => go({ open: 'edit' }, { replace: false })} onClose={close} />;
}
