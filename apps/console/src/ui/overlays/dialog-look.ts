import { cva } from 'class-variance-authority';

export const backdropLook =
  'fixed inset-0 z-40 bg-backdrop transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0';

export const dialogLook = cva(
  'fixed z-50 flex flex-col border-border bg-raised text-text shadow-dialog outline-none transition-[opacity,translate] duration-180 ease-out ' +
    'data-ending-style:opacity-0 data-starting-style:opacity-0 max-sm:inset-0 max-sm:h-dvh max-sm:w-full max-sm:data-ending-style:translate-y-4 max-sm:data-starting-style:translate-y-4 ' +
    'sm:top-1/2 sm:left-1/2 sm:max-h-[calc(100dvh-4rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-box sm:border',
  {
    variants: {
      size: {
        small: 'sm:w-[min(26rem,calc(100vw-2rem))]',
        medium: 'sm:w-[min(34rem,calc(100vw-2rem))]',
        large: 'sm:w-[min(56rem,calc(100vw-2rem))]',
      },
    },
    defaultVariants: { size: 'medium' },
  },
);

type OpenChange = { reason: string; event: Event; cancel: () => void };

/** For `onOpenChange`: requests closing, except after a press on a toast, which does not count as a press outside the dialog. */
export const closeOnRequest = (onClose: (reason: string) => void) => (isOpening: boolean, change: OpenChange) => {
  if (isOpening) return;
  if (pressedToast(change)) change.cancel();
  else onClose(change.reason);
};

const pressedToast = ({ reason, event }: OpenChange) =>
  reason === 'outside-press' && event.target instanceof Element && event.target.closest('[data-toasts]') !== null;

/** The first field, if there is one; else Base UI's default. After a touch no field is focused, which would open the on-screen keyboard. */
export const firstField = (popup: HTMLElement | null, opened: string) =>
  (opened === 'touch' ? null : popup?.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled')) ?? true;
