import { oneOf, searchOf } from '../../navigation/search.ts';

/** The part of the variables page that its address keeps; production is the default and left out. */
export const variablesSearch = searchOf({ environment: oneOf('preview') });
export type VariablesSearch = ReturnType<typeof variablesSearch>;
