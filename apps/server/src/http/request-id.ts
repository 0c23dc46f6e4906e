import { newId } from '../ids.ts';

/** Stands in the answer and in the log, so that one leads to the other. */
export const newRequestId = () => `req_${newId('log').slice(4)}`;
