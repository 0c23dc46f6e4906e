import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx';

interface Props {
  onConfirm: () => void;
  onClose: () => void;
  busy: boolean;
  error: string | undefined;
}

/** Says what is lost, before it is. */
export const ConfirmErasure = (props: Props) => (
  <ConfirmDialog {...props} open danger title="Erase what is stored of this person?" confirmLabel="Erase for good" typedName="erase">
    <p>
      Records that name the person lose their bodies, addresses and names; who did what when, and the chain, stay. In logs and traces
      [ERASED] stands in place of the identifiers. It cannot be undone.
    </p>
    <p className="mt-2">
      Accounts, databases of agents and backups that were made before are not touched. To see first what would go, ask to find it.
    </p>
  </ConfirmDialog>
);
