import { newId } from '../ids.ts';

/** The id is part of the response and of the log, to find one from the other. */
export const newRequestId = () => `req_${newId('log').slice(4)}`;
