import { createContext, useContext } from 'react';

export type FieldAria = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  required: boolean | undefined;
};

export const FieldContext = createContext<FieldAria | null>(null);

/** The attributes of the control inside a `Field`; outside of a `Field` there are none. */
export const useFieldAria = (): Partial<FieldAria> => useContext(FieldContext) ?? {};
