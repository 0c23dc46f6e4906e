import type { ComponentProps } from 'react';
import { controlLook } from './control.ts';
import { useFieldAria } from './field-context.ts';

export function Textarea({ rows = 3, ...rest }: Omit<ComponentProps<'textarea'>, 'className' | 'style'>) {
  return <textarea {...useFieldAria()} {...rest} rows={rows} className={`${controlLook} py-1.5`} />;
}
