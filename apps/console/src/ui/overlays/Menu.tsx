import { type ComponentType, type ReactNode, useId, useRef, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { buttonLook } from '../controls/Button.tsx';
import type { MenuPopupProps } from './MenuPopup.tsx';
import type { MenuItem } from './menu-item.ts';

type Props = {
  /** Accessible name of the button and the menu: 'Actions for invoice-triage'. */
  label: string;
  /** Content of the button: an icon, or a word with one. */
  children: ReactNode;
  /** Groups of items; a hairline stands between two groups. */
  groups: readonly (readonly MenuItem[])[];
  look?: 'icon' | 'secondary';
};

const iconLook =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-neutral-bg hover:text-text aria-expanded:bg-neutral-bg aria-expanded:text-text pointer-coarse:size-11';

/** A button whose popup is loaded when it is hovered or focused, so that the page does not load it up front. */
export function Menu({ label, children, groups, look = 'icon' }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'closed' | 'pointer' | 'keyboard'>('closed');
  const [Popup, setPopup] = useState<ComponentType<MenuPopupProps>>();

  const load = () => {
    if (Popup) return;
    import('./MenuPopup.tsx').then(
      (module) => setPopup(() => module.MenuPopup),
      (error: unknown) => {
        console.error(error);
        setOpen('closed');
        toast.error('The menu could not be loaded. Check the connection and try again.', { id: 'menu-load' });
      },
    );
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open !== 'closed'}
        aria-controls={open !== 'closed' && Popup ? id : undefined}
        title={look === 'icon' ? label : undefined}
        className={look === 'icon' ? iconLook : buttonLook({ variant: 'secondary' })}
        onPointerEnter={load}
        onFocus={load}
        onClick={(event) => {
          load();
          // A click without a count came from Enter or Space.
          setOpen(event.detail === 0 ? 'keyboard' : 'pointer');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen('keyboard');
        }}
      >
        {children}
      </button>
      {Popup ? <Popup id={id} label={label} anchor={button} opened={open} onClose={() => setOpen('closed')} groups={groups} /> : null}
    </>
  );
}
