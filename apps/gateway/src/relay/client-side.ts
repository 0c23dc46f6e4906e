import type { Socket } from 'node:net';
import type { Phase } from './phase.ts';

/** The visitor's connection as its exchange sees it. */
export interface ClientSide {
  readonly socket: Socket;
  enter(phase: Phase, ms: number): void;
  /** Continues with the received bytes after a wait. */
  proceed(): void;
  close(): void;
  broke(err: unknown): void;
}
