import { PORT_REFUSED_CODE, PORT_TAKEN_CODE } from '@paddock/network';
import { PortRefused, PortTaken } from './listen.ts';

/** Ends the process with an exit code of its own if the port is unavailable; the server reports it to the person who started it. */
export function refuseStart(error: unknown): never {
  if (!(error instanceof PortTaken || error instanceof PortRefused)) throw error;
  console.error(error.message);
  process.exit(error instanceof PortTaken ? PORT_TAKEN_CODE : PORT_REFUSED_CODE);
}
