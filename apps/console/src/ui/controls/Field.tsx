import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Icon } from '../theme/Icon.tsx';
import { FieldContext } from './field-context.ts';

type Props = {
  label: string;
  /** A sentence that helps to fill in the field. */
  hint?: ReactNode;
  /** The validation error. */
  error?: string | undefined;
  required?: boolean;
  /** A single `Input`, `Textarea` or `Select`: it is linked to the label, the hint and the error automatically. */
  children: ReactNode;
};

export function Field({ label, hint, error, required, children }: Props) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-semibold wrap-anywhere text-text">
        {label}
      </label>
      <FieldContext value={{ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined, required }}>
        {children}
      </FieldContext>
      {/* The error replaces the hint, or uses the gap below, so that no control moves. */}
      {hint || error ? (
        <div className="grid" data-gap-message={hint ? undefined : ''}>
          {hint ? (
            <p id={`${id}-hint`} className={`col-start-1 row-start-1 text-sm text-muted ${error ? 'invisible' : ''}`}>
              {hint}
            </p>
          ) : null}
          {error ? (
            <p id={`${id}-error`} className="col-start-1 row-start-1 flex items-start gap-1.5 text-sm text-error-fg">
              <span className="mt-0.5">
                <Icon of={CircleAlert} />
              </span>
              {error}
            </p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
