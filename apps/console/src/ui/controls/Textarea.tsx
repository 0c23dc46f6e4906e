import type { ComponentProps } from 'react';
import { controlLook } from './control.ts';
import { useFieldAria } from './field-context.ts';

type Props = Omit<ComponentProps<'textarea'>, 'className' | 'style'> & {
  /** For values, keys and code. */
  mono?: boolean;
};

export function Textarea({ rows = 3, mono = false, ...rest }: Props) {
  return <textarea {...useFieldAria()} {...rest} rows={rows} className={`${controlLook} py-1.5 ${mono ? 'font-mono' : ''}`} />;
}
