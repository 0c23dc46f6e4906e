import { oneOf, searchOf } from '../../navigation/search.ts';

/** The part of the API keys page that its address keeps. */
export const apiKeysSearch = searchOf({ action: oneOf('new') });
export type ApiKeysSearch = ReturnType<typeof apiKeysSearch>;
