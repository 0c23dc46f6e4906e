import type { DatabaseSpec } from '../../driver.ts';
import { ADMIN } from './rights.ts';

const HOST = '127.0.0.1';
const CONNECT_MS = 2000;
/** Long enough for a large process to fork for a snapshot. */
const COMMAND_MS = 4000;

export interface AdminConnection {
  /** Throws an Error with the server's message, which contains no arguments. Throws `NotReady` if the server does not respond. */
  send(command: string, ...args: string[]): Promise<unknown>;
  /** The sections of INFO as one table. */
  info(...sections: string[]): Promise<Record<string, string>>;
}

/** The server does not respond, not in time, or not to the platform. */
export class NotReady extends Error {}

/** The server runs, but its tenant uses all connections: Redis reserves none. */
export class ConnectionsUsedUp extends Error {
  override message = 'All connections of this Redis are in use. They end when the agents that hold them are restarted.';
}

/** Connects as the platform's user for the duration of `use`. Never retries: the caller knows whether that makes sense. */
export async function asAdmin<T>(spec: DatabaseSpec, port: number, use: (admin: AdminConnection) => Promise<T>): Promise<T> {
  // Imported on demand, because the library takes twenty megabytes that a server without a Redis database does not need.
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
  // Most errors of a connection also reject the pending command. A refused login is only reported here.
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

/** Errors of the client contain the command with its arguments, even those of AUTH, so only the message is passed on. */
const sentence = (error: unknown) => `Redis: ${(error as Error).message}`;

/** Parses the `name:value` lines of INFO. */
function table(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
