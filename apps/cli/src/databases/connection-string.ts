import type { Context } from '../context.ts';
import type { TargetOptions } from '../deployment.ts';
import { theDatabase } from './find-database.ts';

/** Stdout carries only the connection string, so that it can be piped to a program; everything else is a note. */
export async function printConnectionString(context: Context, given: string | undefined, options: TargetOptions) {
  const server = await context.server();
  const database = await theDatabase(context, { server, given, options });
  const answer = await server.api.databases.connectionString({ id: database.id });
  if (database.status !== 'available')
    context.terminal.note(`The database is ${database.status}: ${database.status_message ?? 'it does not answer now'}`);
  context.terminal.result(answer, answer.connection_string);
}
