import type { DatabaseSpec } from '../../driver.ts';
import { ADMIN } from './rights.ts';

const HOST = '127.0.0.1';
const CONNECT_MS = 2000;
/** Long enough for a large process to be copied for a snapshot. */
const COMMAND_MS = 4000;

export interface AdminConnection {
  /** Throws an Error with the server's own words, which hold no arguments; `NotReady` when it does not answer. */
  send(command: string, ...args: string[]): Promise<unknown>;
  /** The sections of INFO as one table. */
  info(...sections: string[]): Promise<Record<string, string>>;
}

/** Nothing answers, or not in time, or not to us. */
export class NotReady extends Error {}

/** It runs, and its tenant holds every connection that it accepts: it keeps none back for anybody. */
export class ConnectionsUsedUp extends Error {
  override message = 'All connections of this Redis are in use. They end when the agents that hold them are restarted.';
}

/** Connects as the platform's user for the length of `use`. Never tries twice: whoever calls knows whether that makes sense. */
export async function asAdmin<T>(spec: DatabaseSpec, port: number, use: (admin: AdminConnection) => Promise<T>): Promise<T> {
  // Twenty megabytes that a server without a Redis database need not hold.
  const { Redis } = await import('ioredis');
  const redis = new Redis({
    host: HOST,
    port,
    username: ADMIN,
    password: spec.admin_password,
    protocol: 2,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    disableClientInfo: true,
  });
  // What ends a connection also comes as the rejection of what was asked, except for a refused sign-in: that is told here only.
  let refusal: Error | undefined;
  redis.on('error', (error: Error) => {
    refusal ??= error;
  });
  const send = async (command: string, ...args: string[]): Promise<unknown> => {
    try {
      return await redis.call(command, ...args);
    } catch (error) {
      throw isAnswer(error) ? new Error(sentence(error)) : new NotReady(sentence(refusal ?? error));
    }
  };
  try {
    await redis.connect().catch((error: unknown) => {
      throw refused(refusal ?? error);
    });
    if (refusal) throw refused(refusal);
    return await use({ send, info: async (...sections) => table(String(await send('INFO', ...sections))) });
  } finally {
    redis.disconnect();
  }
}

function refused(error: unknown): Error {
  return sentence(error).includes('max number of clients') ? new ConnectionsUsedUp() : new NotReady(sentence(error));
}

const isAnswer = (error: unknown) => (error as Error).name === 'ReplyError';

/** Errors of the client carry the command with its arguments, of AUTH too: only the message goes on. */
const sentence = (error: unknown) => `Redis: ${(error as Error).message}`;

/** Lines `name:value` of INFO. */
function table(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
