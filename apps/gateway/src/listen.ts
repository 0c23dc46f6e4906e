import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { argumentsOf, listenersOn, parentOf, portRefusedMessage, portTakenMessage } from '@paddock/network';
import { withLock } from '@paddock/runtime/lock';

/** Another program listens on the gateway's port; the message names it for the person who starts the gateway. */
export class PortTaken extends Error {}

/** The system does not let this process listen on the port or address; the message says why. */
export class PortRefused extends Error {}

/** The processes that may listen on the port beside this one. */
export interface Kin {
  /** An argument that every gateway process of this installation has. */
  mark?: string | undefined;
  /** This installation's gateways without the mark, and the leader of this process. Their children are allowed as well. */
  pids: readonly number[];
}

interface Place {
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

/** Only Linux lets several processes listen on one port and spreads connections over them. */
const canShare = process.platform === 'linux';
/** A gateway that was just killed may have processes that have not released the port yet. */
const releaseWaitMs = 2_000;
const releasePollMs = 100;
const backlog = 1024;

/**
 * Listens on a port that the gateway processes of one installation share. Throws PortTaken while another program listens there: the kernel
 * would give that program part of the visitors. All gateways of this machine decide under one lock, so of two that start at the same moment one
 * sees the other.
 */
export async function listen(server: Server, place: Place, kin: Kin): Promise<void> {
  if (!canShare || place.port === 0) return open(server, place);
  const openUnlessForeign = async () => {
    const isOpen = !(await isForeign(place, kin));
    if (isOpen) await open(server, place);
    return isOpen;
  };
  for (const end = performance.now() + releaseWaitMs; ; await sleep(releasePollMs)) {
    if (await withLock(`gateway port ${place.port}`, openUnlessForeign)) return;
    if (performance.now() > end) throw portTaken(place);
  }
}

async function open(server: Server, { host, port }: Place): Promise<void> {
  try {
    await once(server.listen({ host, port, backlog, reusePort: canShare }), 'listening');
  } catch (error) {
    throw startProblem(error, { host, port });
  }
}

function startProblem(error: unknown, place: Place): unknown {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return portTaken(place);
  const refused = portRefusedMessage(error, { ...place, setting });
  return refused === undefined ? error : new PortRefused(refused);
}

const setting = 'PADDOCK_GATEWAY_PORT';
const portTaken = (place: Place) => new PortTaken(portTakenMessage({ ...place, setting }));

/** Whether a program outside the kin listens on the place. */
async function isForeign(place: Place, kin: Kin): Promise<boolean> {
  if (await isFree(place)) return false;
  const listeners = listenersOn(place);
  return listeners.length === 0 || listeners.some(({ pids }) => !pids.some((pid) => isKin(pid, kin)));
}

function isKin(pid: number, { mark, pids }: Kin): boolean {
  return pids.includes(pid) || pids.includes(parentOf(pid)) || (mark !== undefined && argumentsOf(pid).includes(mark));
}

/** Tries to listen with a socket that does not share the port. */
async function isFree({ host, port }: Place): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen({ host, port, exclusive: true }), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw startProblem(error, { host, port });
  } finally {
    await new Promise<void>((resolve) => probe.close(() => resolve()));
  }
}
