import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../theme/Icon.tsx';

/** The error of a form, above its fields. Announced to screen readers when it appears. */
export function FormError({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="empty:absolute">
      {children ? (
        <p className="flex items-start gap-2 rounded-control border border-error-dot bg-error-bg px-3 py-2 text-base text-error-fg">
          <span className="mt-0.5">
            <Icon of={CircleX} />
          </span>
          <span className="min-w-0 break-words">{children}</span>
        </p>
      ) : null}
    </div>
  );
}
