import { Menu as Base } from '@base-ui/react/menu';
import { Fragment, type RefObject, useRef } from 'react';
import { Icon } from '../theme/Icon.tsx';
import type { MenuItem } from './menu-item.ts';

export type MenuPopupProps = {
  id: string;
  label: string;
  anchor: RefObject<HTMLElement | null>;
  /** How the menu was opened, if it is open: with the keyboard, the first item takes the focus. */
  opened: 'closed' | 'pointer' | 'keyboard';
  onClose: () => void;
  groups: readonly (readonly MenuItem[])[];
};

const itemLook =
  'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-base text-text no-underline outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-55 data-highlighted:bg-neutral-bg pointer-coarse:min-h-11';

/** The part of `Menu` that is loaded on demand. */
export function MenuPopup({ id, label, anchor, opened, onClose, groups }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const filled = groups.filter((group) => group.length > 0);
  const close = () => {
    // Restore the focus: when the menu closes, a surrounding dialog would take it.
    const isWithin = popup.current?.contains(document.activeElement) ?? false;
    if (isWithin && anchor.current?.closest('[role="dialog"]')) anchor.current.focus();
    onClose();
  };
  return (
    <Base.Root
      open={opened !== 'closed'}
      onOpenChange={(to) => (to ? undefined : close())}
      onOpenChangeComplete={(isOpen) => {
        // A fast user may have focused an item before the popup has faded in: keep that.
        if (!isOpen || opened !== 'keyboard' || popup.current?.querySelector('[role="menuitem"]:focus')) return;
        // The popup may not be positioned yet: a focus that scrolls would scroll the page to the top.
        popup.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
      }}
    >
      <Base.Portal container={landmark(anchor.current)}>
        <Base.Positioner anchor={anchor} side="bottom" align="end" sideOffset={4} className="z-50">
          <Base.Popup
            ref={popup}
            id={id}
            aria-label={label}
            finalFocus={anchor}
            className="min-w-44 rounded-box border border-border bg-raised p-1 shadow-menu outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {filled.map((group, index) => (
              <Fragment key={group[0]?.label}>
                {index > 0 ? <Base.Separator className="mx-1 my-1 h-px bg-border" /> : null}
                {group.map((item) => (
                  <Item key={item.label} item={item} />
                ))}
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The container of the popup: the landmark of its button, so that screen readers find the menu there. */
const landmark = (button: HTMLElement | null) => button?.closest<HTMLElement>('[role="dialog"], main, header, aside') ?? undefined;

function Item({ item }: { item: MenuItem }) {
  const inner = (
    <>
      {item.icon ? <Icon of={item.icon} /> : null}
      {item.label}
    </>
  );
  if (item.href !== undefined) {
    return (
      <Base.LinkItem href={item.href} className={itemLook} closeOnClick {...(item.newTab ? { target: '_blank', rel: 'noreferrer' } : {})}>
        {inner}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item disabled={item.disabled ?? false} onClick={item.onSelect} className={`${itemLook} ${item.danger ? '!text-error-fg' : ''}`}>
      {inner}
    </Base.Item>
  );
}
