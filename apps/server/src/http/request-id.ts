import { newId } from '../ids.ts';

/** An id that is in the response and in the log, to find one by the other. */
export const newRequestId = () => `req_${newId('log').slice(4)}`;
