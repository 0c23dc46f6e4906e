import { createContext, useContext } from 'react';

export type FieldAria = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
};

export const FieldContext = createContext<FieldAria | null>(null);

/** What the control inside a `Field` must carry; nothing outside of one. */
export const useFieldAria = (): Partial<FieldAria> => useContext(FieldContext) ?? {};
