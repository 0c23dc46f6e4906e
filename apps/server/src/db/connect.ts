import { connect as openSocket, type Socket } from 'node:net';
import postgres from 'postgres';

export type Sql = postgres.Sql<{ bigint: number; timestamp: string }>;
/** Inside `sql.begin`; everything that a store runs takes either. */
export type Tx = postgres.TransactionSql<{ bigint: number; timestamp: string }> | Sql;

/** Rows come as the wire has them: snake_case, ISO timestamps with milliseconds, bigints as numbers. */
export const connect = (url: string, options: { max?: number; name?: string } = {}): Sql =>
  postgres(url, {
    ...promptSockets(),
    max: options.max ?? 10,
    connect_timeout: 10,
    idle_timeout: 300,
    onnotice: () => undefined,
    transform: { undefined: null },
    connection: { application_name: options.name ?? 'paddock', statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      timestamp: { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: (text: string) => new Date(text).toISOString() },
    },
  });

interface Place {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * The driver's own sockets hold a small piece back until the one before is acknowledged, which after a copy costs 40 ms twice. Its option
 * for the socket takes one that is still connecting: what is written meanwhile waits in it.
 */
function promptSockets() {
  let turn = 0;
  const socket = ({ host, port, path }: Place): Socket => {
    const at = turn++ % port.length; // a list of servers is tried in turn
    const place = path ? { path } : { host: host[at]!, port: port[at]! };
    return Object.assign(openSocket({ ...place, noDelay: true }), { host: host[at] }); // TLS asks the socket for the server's name
  };
  return { socket } as object;
}

/** The connection string of a database could not be used, lost the connection or is not there yet: worth a 503 and a retry. */
export function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code ?? '';
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|57P0[123]|53300|08)/.test(code);
}
