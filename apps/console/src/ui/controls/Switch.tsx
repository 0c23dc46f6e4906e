import type { ChangeEvent, ComponentProps, ReactNode } from 'react';

type Props = Omit<ComponentProps<'input'>, 'className' | 'style' | 'type' | 'role'> & { label: ReactNode };

/** A switch that takes effect at once, without a Save button. A double click is one press. */
export function Switch({ label, onChange, ...rest }: Props) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const isSecondClick = event.nativeEvent instanceof MouseEvent && event.nativeEvent.detail > 1;
    if (!isSecondClick) onChange?.(event);
  };
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2 text-base text-text pointer-coarse:min-h-11">
      <input
        {...rest}
        onChange={change}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells its checked state by itself
        role="switch"
        className={
          'relative h-4 w-7 shrink-0 appearance-none rounded-control border border-border-strong bg-sunken transition-colors before:absolute before:top-0.5 before:left-0.5 ' +
          'before:size-2.5 before:rounded-[1px] before:bg-muted before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-3 ' +
          'checked:before:bg-on-accent disabled:opacity-55 forced-colors:appearance-auto'
        }
      />
      <span>{label}</span>
    </label>
  );
}
