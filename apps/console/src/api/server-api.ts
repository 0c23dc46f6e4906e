import { createClient } from '@paddock/client';
import { contract } from '@paddock/contract';
import { send } from './send.ts';

/** The API over the network, to the server that served this page. */
export const serverApi = createClient(contract, send);
