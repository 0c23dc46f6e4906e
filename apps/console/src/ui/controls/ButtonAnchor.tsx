import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { buttonLook } from './Button.tsx';

type Props = Omit<ComponentProps<'a'>, 'className' | 'style'> & VariantProps<typeof buttonLook> & { icon?: ReactNode };

/** A link that looks like a button: for navigation, never for an action. */
export function ButtonAnchor({ variant, wide, icon, children, ...rest }: Props) {
  return (
    <a {...rest} className={buttonLook({ variant, wide })}>
      {icon}
      {children}
    </a>
  );
}
