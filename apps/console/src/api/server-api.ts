import { contract } from 'virtual:call-table';
import { createClient } from '@paddock/client';
import { send } from './send.ts';

/** The API of the server that served this page. */
export const serverApi = createClient(contract, send);
