import { X } from 'lucide-react';
import { resolveValue, type Toast, toast, useToaster } from 'react-hot-toast/headless';
import { Spinner } from '../controls/Spinner.tsx';
import { Glyph } from '../theme/Glyph.tsx';
import { Icon } from '../theme/Icon.tsx';
import { toneText } from './Badge.tsx';

/**
 * Shows the messages of `toast(…)`, `toast.success(…)`, `toast.error(…)` and `toast.loading(…)`: 4 s, 2 s for success, until dismissed for
 * loading, at most 20. The live region is always mounted, so that each message is announced; timers pause under the pointer or the focus.
 */
export function Toasts() {
  const { toasts, handlers } = useToaster();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- nothing is operated here: the clock waits for the reader
    <section
      data-toasts=""
      aria-label="Notifications"
      className="pointer-events-none fixed top-4 right-4 z-60 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2"
      onPointerEnter={handlers.startPause}
      onPointerLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      <div role="status" aria-live="polite" className="contents">
        {toasts.map((item) => (
          <ToastCard key={item.id} item={item} />
        ))}
      </div>
    </section>
  );
}

function ToastCard({ item }: { item: Toast }) {
  return (
    <div
      className={`pointer-events-auto items-start gap-2.5 rounded-box border border-border bg-raised py-2.5 pr-1.5 pl-3 text-base text-text shadow-menu transition-[opacity,display] transition-discrete duration-180 ${item.visible ? 'flex starting:opacity-0' : 'hidden opacity-0'}`}
    >
      <Mark type={item.type} />
      <div className="min-w-0 grow py-px break-words">{resolveValue(item.message, item)}</div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => toast.dismiss(item.id)}
        className="-my-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-control text-muted hover:bg-neutral-bg hover:text-text"
      >
        <Icon of={X} />
      </button>
    </div>
  );
}

function Mark({ type }: { type: Toast['type'] }) {
  if (type === 'loading')
    return (
      <span className="py-0.5 text-muted">
        <Spinner />
      </span>
    );
  if (type !== 'success' && type !== 'error') return null;
  return (
    <span className={`py-1 ${toneText[type]}`}>
      <Glyph name={type === 'success' ? 'tick' : 'cross'} />
      <span className="sr-only">{type === 'success' ? 'Done:' : 'Error:'}</span>
    </span>
  );
}
