import { contract } from '@paddock/contract/routes';
import type { Plugin } from 'vite';

const name = 'virtual:call-table';
const resolved = `\0${name}`;

/**
 * The contract as the console needs it at run time: how each call is sent. Its schemas, and with them the whole of zod, are for the server, which
 * checks what is sent to it; they would be a tenth of all that the console loads. Read once: `npm run dev` has to be started again for a new call.
 */
export const callTable: Plugin = {
  name: 'call-table',
  resolveId: (id) => (id === name ? resolved : undefined),
  load: (id) => (id === resolved ? `export const contract = ${JSON.stringify(tableOf())};` : undefined),
};

const tableOf = () =>
  Object.fromEntries(
    Object.entries(contract).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.entries(calls as Record<string, Sending>).map(([call, { method, path, file, download, stream }]) => [
          call,
          { method, path, file, download, stream },
        ]),
      ),
    ]),
  );

interface Sending {
  method: string;
  path: string;
  file?: string;
  download?: true;
  stream?: true;
}
