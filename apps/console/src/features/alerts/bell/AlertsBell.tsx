import { useInfiniteQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { openAlertsQuery } from './queries.ts';

const load = () => import('./AlertsPopup.tsx');
const AlertsPopup = lazy(() => load().then((module) => ({ default: module.AlertsPopup })));

/** Maximum count shown by the bell, which is small. */
const maxCounted = 99;

/** The number of open alerts, and the button that lists them. */
export function AlertsBell() {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<boolean>();
  const { data } = useInfiniteQuery(openAlertsQuery);
  const count = data?.pages[0]?.open ?? 0;
  const label = count === 0 ? 'Alerts' : `Alerts, ${count.toLocaleString('en')} open`;
  // Preloads the popup as the pointer approaches. If that fails, the press retries and shows the failure.
  const prepare = () => void load().catch((error: unknown) => console.warn(error));
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open === true}
        title={label}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(!open)}
        className="relative inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-neutral-bg hover:text-text aria-expanded:bg-neutral-bg aria-expanded:text-text pointer-coarse:size-11"
      >
        <Icon of={Bell} />
        {count > 0 ? (
          <span
            aria-hidden="true"
            className="absolute top-0 right-0 pointer-coarse:top-1.5 pointer-coarse:right-1.5 inline-flex h-4 min-w-4 items-center justify-center rounded-full border border-canvas bg-warning-bg px-1 text-xs font-bold text-warning-fg forced-colors:border-[CanvasText]"
          >
            {count > maxCounted ? `${maxCounted}+` : count}
          </span>
        ) : null}
      </button>
      <Suspense fallback={null}>
        {open === undefined ? null : <AlertsPopup open={open} anchor={button} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
