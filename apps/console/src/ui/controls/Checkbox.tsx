import { type ComponentProps, type ReactNode, useId } from 'react';

type Props = Omit<ComponentProps<'input'>, 'className' | 'style' | 'type'> & { label: ReactNode; error?: string | undefined };

export function Checkbox({ label, error, ...rest }: Props) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-6 cursor-pointer items-start gap-2 text-base text-text pointer-coarse:min-h-11 pointer-coarse:items-center">
        <span className="relative mt-0.5 flex size-4 shrink-0 pointer-coarse:mt-0">
          <input
            {...rest}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : undefined}
            className="peer size-4 appearance-none rounded-control border border-border-strong bg-surface transition-colors checked:border-accent checked:bg-accent aria-invalid:border-error-dot disabled:opacity-55 forced-colors:appearance-auto"
          />
          <svg
            viewBox="0 0 16 16"
            aria-hidden="true"
            className="pointer-events-none invisible absolute inset-0 fill-none stroke-on-accent stroke-2 peer-checked:visible forced-colors:hidden"
          >
            <path d="M3.5 8.5l3 3 6-7" />
          </svg>
        </span>
        <span>{label}</span>
      </label>
      {error ? (
        <p id={id} data-gap-message="" className="mt-1 text-sm text-error-fg">
          {error}
        </p>
      ) : null}
    </div>
  );
}
