import { contract } from '@paddock/contract/routes';
import type { Plugin } from 'vite';

const name = 'virtual:call-table';
const resolved = `\0${name}`;

/**
 * How each call of the contract is sent, which is all that the console needs of it at run time. The schemas, and zod with them, are used
 * only by the server, which validates requests; they would be a tenth of the console's download. The contract is read once: restart `npm
 * run dev` after adding a call.
 */
export const callTable: Plugin = {
  name: 'call-table',
  resolveId: (id) => (id === name ? resolved : undefined),
  load: (id) => (id === resolved ? `export const contract = ${JSON.stringify(buildTable())};` : undefined),
};

const buildTable = () =>
  Object.fromEntries(
    Object.entries(contract).map(([group, calls]) => [
      group,
      Object.fromEntries(
        Object.entries(calls as Record<string, Sending>).map(([call, { method, path, file, download, stream }]) => [
          call,
          { method, path, file, ...(download && { download: { as: download.as } }), stream },
        ]),
      ),
    ]),
  );

interface Sending {
  method: string;
  path: string;
  file?: string;
  download?: { as: 'text' | 'bytes' };
  stream?: true;
}
