import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/IconButton.tsx';
import { Icon } from '../theme/Icon.tsx';
import { backdropLook, closeOnRequest } from './dialog-look.ts';

type Props = { open: boolean; onClose: () => void; title: string; side?: 'left' | 'right'; children: ReactNode };

const sideLook = {
  left: 'left-0 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full w-[min(18rem,85vw)]',
  right: 'right-0 border-l data-ending-style:translate-x-full data-starting-style:translate-x-full w-[min(40rem,100vw)]',
} as const;

/** A panel at the edge of the window: the detail of a row, or the navigation on a small screen. */
export function Drawer({ open, onClose, title, side = 'right', children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={closeOnRequest(onClose)}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup
          className={`fixed inset-y-0 z-50 flex flex-col border-border bg-raised text-text shadow-dialog outline-none transition-[translate] duration-180 ease-out ${sideLook[side]}`}
        >
          <div className="flex h-14 shrink-0 items-center gap-3 px-4">
            <Base.Title className="grow truncate text-lg font-bold">{title}</Base.Title>
            <IconButton label="Close" icon={<Icon of={X} />} onClick={onClose} />
          </div>
          <div className="min-h-0 grow overflow-y-auto px-4 pb-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
