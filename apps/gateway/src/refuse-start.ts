import { PORT_TAKEN_CODE } from '@paddock/network';
import { PortTaken } from './listen.ts';

/** Ends the process with a code of its own where somebody else has the port; the server says so to the person who started it. */
export function refuseStart(error: unknown): never {
  if (!(error instanceof PortTaken)) throw error;
  console.error(error.message);
  process.exit(PORT_TAKEN_CODE);
}
