import type { Socket } from 'node:net';
import type { Phase } from './phase.ts';

/** The visitor's connection, as used by its exchange. */
export interface ClientSide {
  readonly socket: Socket;
  enter(phase: Phase, ms: number): void;
  /** The connection's wait is over: it continues with the buffered bytes. */
  proceed(): void;
  close(): void;
  broke(err: unknown): void;
}
