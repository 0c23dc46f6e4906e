import { spawn } from 'node:child_process';
import type { Database } from '@paddock/contract';
import type { Context } from '../context.ts';
import type { TargetOptions } from '../deployment.ts';
import { notFound, ToolError } from '../failures.ts';
import { theDatabase } from './find-database.ts';

const packages: Record<Database['type'], string> = {
  postgresql: 'psql is part of PostgreSQL’s client: apt install postgresql-client, or brew install libpq',
  redis: 'redis-cli is part of Redis: apt install redis-tools, or brew install redis',
};

const redirecting = new Set(['PGHOSTADDR', 'PGSERVICE', 'PGSERVICEFILE', 'PGOPTIONS', 'PGSSLMODE', 'REDISCLI_AUTH']);

/** Starts psql or redis-cli at the database, with this terminal, and ends with its exit code. */
export async function connectTo(context: Context, given: string | undefined, options: TargetOptions): Promise<number> {
  const server = await context.server();
  const database = await theDatabase(context, { server, given, options });
  const { connection_string } = await server.api.databases.connectionString({ id: database.id });
  const { program, args, env } = describeClient(database.type, new URL(connection_string));
  const { type, project_name, environment } = database;
  context.terminal.note(`Connecting to ${type} of ${project_name} (${environment}) with ${program}`);
  return new Promise((resolve, reject) => {
    // Settings of the person for another database would lead the password elsewhere.
    const own = Object.fromEntries(Object.entries(context.env).filter(([name]) => !redirecting.has(name)));
    const child = spawn(program, args, { stdio: 'inherit', env: { ...own, ...env } });
    // Ctrl-C is for the program in the terminal, not for this one.
    const others = process.listeners('SIGINT');
    process.removeAllListeners('SIGINT');
    const stay = () => undefined;
    process.on('SIGINT', stay);
    const settle = () => {
      process.off('SIGINT', stay);
      for (const listener of others) process.on('SIGINT', listener);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(error.code === 'ENOENT' ? notFound(`${program} is not on this machine. ${packages[type]}.`) : error);
    });
    child.once('exit', (code, signal) => {
      settle();
      if (code === null) reject(new ToolError('client_ended', `${program} was ended by ${signal}.`));
      else resolve(code);
    });
  });
}

interface Client {
  program: string;
  args: string[];
  /** The password is in the environment: others on the machine can read command lines. */
  env: Record<string, string>;
}

function describeClient(type: Database['type'], url: URL): Client {
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (type === 'redis') {
    const number = url.pathname.slice(1);
    return {
      program: 'redis-cli',
      args: [
        ...['-h', host, '-p', url.port || '6379'],
        ...(user ? ['--user', user] : []),
        ...(number ? ['-n', number] : []),
        ...(url.protocol === 'rediss:' ? ['--tls'] : []),
      ],
      env: password ? { REDISCLI_AUTH: password } : {},
    };
  }
  const mode = url.searchParams.get('sslmode');
  return {
    program: 'psql',
    args: [],
    env: {
      PGHOST: host,
      PGPORT: url.port || '5432',
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
      ...(mode ? { PGSSLMODE: mode } : {}),
    },
  };
}
