import { oneOf, searchOf } from '../../navigation/search.ts';

/** The state of the variables page that is kept in its address; production is the default, which the address omits. */
export const variablesSearch = searchOf({ environment: oneOf('preview') });
export type VariablesSearch = ReturnType<typeof variablesSearch>;
