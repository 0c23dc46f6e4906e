import { PORT_REFUSED_CODE, PORT_TAKEN_CODE } from '@paddock/network';
import { PortRefused, PortTaken } from './listen.ts';

/** Exits with a code of its own when the port is not available; the server reports that to the person who started it. */
export function refuseStart(error: unknown): never {
  if (!(error instanceof PortTaken || error instanceof PortRefused)) throw error;
  console.error(error.message);
  process.exit(error instanceof PortTaken ? PORT_TAKEN_CODE : PORT_REFUSED_CODE);
}
