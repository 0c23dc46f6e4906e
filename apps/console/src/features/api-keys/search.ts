import { oneOf, searchOf } from '../../navigation/search.ts';

/** The state of the API keys page that is kept in its address. */
export const apiKeysSearch = searchOf({ action: oneOf('new') });
export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
