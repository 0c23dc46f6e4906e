import type { ComponentProps } from 'react';

/** A link inside text or a table cell. */
export function TextLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className' | 'style'>) {
  return (
    <a
      {...rest}
      className="rounded-control font-semibold text-accent underline decoration-1 underline-offset-3 transition-colors hover:text-accent-hover hover:decoration-2"
    >
      {children}
    </a>
  );
}
