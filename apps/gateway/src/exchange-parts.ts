import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { AnswerCode } from './answers.ts';
import type { Client } from './client-address.ts';
import type { Limits } from './limits.ts';
import type { RequestFacts } from './request-head.ts';
import type { Route } from './routing-table.ts';
import type { Traffic } from './traffic.ts';
import type { UpstreamPool } from './upstream/pool.ts';

/** What all exchanges share. */
export interface ExchangeParts {
  limits: Limits;
  pool: UpstreamPool;
  traffic: Traffic;
  log: Logger;
  findRoute: (label: string) => Route | undefined;
  sendPage: (res: ServerResponse, code: AnswerCode, facts: RequestFacts, requestId: string) => void;
  isDraining: () => boolean;
}

export interface Asked {
  req: IncomingMessage;
  res: ServerResponse;
  facts: RequestFacts;
  route: Route;
  client: Client;
  requestId: string;
  /** Set if the visitor asked for a WebSocket: its socket, and what it sent ahead. */
  upgrade: { socket: Socket; ahead: Buffer; key: string } | undefined;
  /** Called once, when nothing of the exchange is left. */
  closed: () => void;
}
