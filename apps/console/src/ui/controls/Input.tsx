import type { ComponentProps } from 'react';
import { controlLook } from './control.ts';
import { useFieldAria } from './field-context.ts';

type Props = Omit<ComponentProps<'input'>, 'className' | 'style'> & {
  /** For ids, addresses and keys. */
  mono?: boolean;
};

export function Input({ mono = false, ...rest }: Props) {
  return <input {...useFieldAria()} {...rest} className={`${controlLook} h-8 ${mono ? 'font-mono' : ''}`} />;
}
