import { PORT_REFUSED_CODE, PORT_TAKEN_CODE } from '@paddock/network';
import { PortRefused, PortTaken } from './listen.ts';

/** Ends the process with a code of its own where the port cannot be had; the server says so to the person who started it. */
export function refuseStart(error: unknown): never {
  if (!(error instanceof PortTaken || error instanceof PortRefused)) throw error;
  console.error(error.message);
  process.exit(error instanceof PortTaken ? PORT_TAKEN_CODE : PORT_REFUSED_CODE);
}
