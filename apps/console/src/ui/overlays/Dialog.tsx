import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type SubmitEvent, useRef } from 'react';
import { IconButton } from '../controls/IconButton.tsx';
import { Icon } from '../theme/Icon.tsx';
import { backdropLook, closeOnRequest, dialogLook, firstField } from './dialog-look.ts';
import { dialogButtons, steadyPopup } from './steady-popup.ts';

type Props = {
  open: boolean;
  /** Called by Escape, the cross and a press outside; the owner of `open` may refuse to close. */
  onClose: (reason: string) => void;
  title: string;
  description?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** The buttons; the main action comes last. */
  footer?: ReactNode;
  /** Makes the dialog one form: its submit button belongs in the footer. */
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void;
  children: ReactNode;
};

/** A modal dialog; below 640 px it fills the screen. It traps the focus and restores it on closing. */
export function Dialog({ open, onClose, title, description, size = 'medium', footer, onSubmit, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const inner = (
    <>
      <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
      {footer ? (
        <div {...dialogButtons} className="flex shrink-0 flex-wrap justify-end gap-2.5 border-t border-border px-5 py-3">
          {footer}
        </div>
      ) : null}
    </>
  );
  return (
    <Base.Root open={open} onOpenChange={closeOnRequest(onClose)}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup
          ref={popup}
          {...steadyPopup}
          initialFocus={(opened) => firstField(popup.current, opened)}
          className={dialogLook({ size })}
        >
          <div className="flex shrink-0 items-start gap-3 px-5 pt-4">
            <div className="min-w-0 grow">
              <Base.Title className="text-lg font-bold">{title}</Base.Title>
              {description ? <Base.Description className="mt-1 text-base wrap-anywhere text-muted">{description}</Base.Description> : null}
            </div>
            <IconButton label="Close" icon={<Icon of={X} />} onClick={() => onClose('close-press')} />
          </div>
          {onSubmit ? (
            <form onSubmit={onSubmit} noValidate className="flex min-h-0 grow flex-col">
              {inner}
            </form>
          ) : (
            inner
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
