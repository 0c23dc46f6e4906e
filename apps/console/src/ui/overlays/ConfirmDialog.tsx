import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Field } from '../controls/Field.tsx';
import { Input } from '../controls/Input.tsx';
import { FormError } from '../feedback/FormError.tsx';
import { backdropLook, dialogLook } from './dialog-look.ts';
import { dialogButtons, steadyPopup } from './steady-popup.ts';

type Props = {
  open: boolean;
  onClose: () => void;
  /** The question, as verb and object: 'Delete project invoice-triage?' */
  title: string;
  /** Says what changes, and what does not. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  /** For actions that cannot be undone. */
  danger?: boolean;
  /** The name that must be typed first; only for actions that lose data. */
  typedName?: string;
  /** Further fields, with their own errors. */
  fields?: ReactNode;
  busy?: boolean;
  error?: string | undefined;
};

/** Confirms an action. A press outside does not close it. */
export function ConfirmDialog({ open, onClose, title, ...rest }: Props) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(to) => (to ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropLook} />
        <AlertDialog.Popup {...steadyPopup} className={dialogLook({ size: 'small' })}>
          <AlertDialog.Title className="shrink-0 px-5 pt-4 text-lg font-bold wrap-anywhere">{title}</AlertDialog.Title>
          <ConfirmForm {...rest} onClose={onClose} />
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

// Mounted with the dialog, so that a typed name is not kept for the next time.
function ConfirmForm({
  onClose,
  children,
  confirmLabel,
  onConfirm,
  danger = false,
  typedName,
  fields,
  busy = false,
  error,
}: Omit<Props, 'open' | 'title'>) {
  const [typed, setTyped] = useState('');
  const ready = typedName === undefined || typed.trim() === typedName;
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (ready && !busy) onConfirm();
  };
  return (
    <form onSubmit={onSubmit} className="flex min-h-0 grow flex-col">
      <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto px-5 pt-2 pb-4">
        <AlertDialog.Description render={<div />} className="text-base text-muted">
          {children}
        </AlertDialog.Description>
        {fields}
        {typedName === undefined ? null : (
          <Field label={`Type ${typedName} to confirm`}>
            <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" spellCheck={false} mono />
          </Field>
        )}
        <FormError>{error}</FormError>
      </div>
      <div {...dialogButtons} className="flex shrink-0 flex-wrap justify-end gap-2.5 border-t border-border px-5 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!ready}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
