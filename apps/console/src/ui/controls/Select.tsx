import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Icon } from '../theme/Icon.tsx';
import { controlLook } from './control.ts';
import { useFieldAria } from './field-context.ts';

type Props = Omit<ComponentProps<'select'>, 'className' | 'style'>;

/** The native select: its list works with every keyboard, phone and screen reader. Takes `option`s as children. */
export function Select({ children, ...rest }: Props) {
  return (
    <span className="relative block">
      <select {...useFieldAria()} {...rest} className={`${controlLook} h-8 appearance-none pr-8`}>
        {children}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-muted">
        <Icon of={ChevronDown} />
      </span>
    </span>
  );
}
