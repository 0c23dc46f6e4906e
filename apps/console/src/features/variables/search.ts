import { oneOf, searchOf } from '../../navigation/search.ts';

/** What of the variables page lives in its address; production is the default and left out. */
export const variablesSearch = searchOf({ environment: oneOf('preview') });
export type VariablesSearch = ReturnType<typeof variablesSearch>;
