import type { Database, DatabaseType, Environment } from '@paddock/contract';
import { ask } from '../ask.ts';
import type { Context, Server } from '../context.ts';
import { parseEnvironment, type TargetOptions } from '../deployment.ts';
import { notFound, usage } from '../failures.ts';
import { theProject } from '../project.ts';

const maxPages = 40;
const types: Record<string, DatabaseType> = { postgres: 'postgresql', postgresql: 'postgresql', redis: 'redis' };
const typeNames: Record<DatabaseType, string> = { postgresql: 'PostgreSQL database', redis: 'Redis database' };

export interface Wanted {
  project_id?: string;
  environment?: Environment;
}

/** All matching databases, page by page. */
export async function everyDatabase({ api }: Pick<Server, 'api'>, wanted: Wanted): Promise<Database[]> {
  const found: Database[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const answer: { databases: Database[]; next_cursor: string | null } = await api.databases.list({
      ...wanted,
      limit: 500,
      ...(cursor ? { cursor } : {}),
    });
    found.push(...answer.databases);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return found;
}

interface DatabaseTarget {
  server: Server;
  /** An id, a type, or nothing. */
  given: string | undefined;
  options: TargetOptions;
}

/**
 * Finds the database by its id, or the database of the given type in the project's environment. Among several, the one that agents get is
 * used; if that does not decide, a person on a terminal is asked, and a script gets an error that names all of them.
 */
export async function theDatabase(context: Context, { server, given, options }: DatabaseTarget): Promise<Database> {
  if (given?.startsWith('db_')) return server.api.databases.get({ id: given });
  const type = parseDatabaseType(given);
  const environment = parseEnvironment(options.env);
  const project = await theProject(context, options.project, server);
  const all = await everyDatabase(server, { project_id: project.id, environment });
  const fitting = all.filter((each) => type === undefined || each.type === type);
  if (fitting.length === 0) {
    const what = type === undefined ? 'database' : typeNames[type];
    throw notFound(`${project.name} (${environment}) has no ${what}. To get one: paddock deploy --database managed`);
  }
  const attached = fitting.filter((each) => each.is_attached);
  const [only, ...others] = attached.length ? attached : fitting;
  if (only && others.length === 0) return only;
  return choose(context, `${project.name} (${environment}) has several databases`, attached.length ? attached : fitting);
}

function parseDatabaseType(given: string | undefined): DatabaseType | undefined {
  if (given === undefined) return undefined;
  const type = Object.hasOwn(types, given) ? types[given] : undefined;
  if (!type) throw usage(`${given} is no database. Give postgres, redis or an id (db_…).`);
  return type;
}

async function choose(context: Context, why: string, databases: Database[]): Promise<Database> {
  const rows = databases.map((each) => `${each.type}, ${each.mode}, ${each.name} (${each.id})`);
  if (!context.terminal.isInteractive) throw usage(`${why}. Name one:\n${rows.map((row) => `  ${row}`).join('\n')}`);
  context.terminal.note(`${why}:\n${rows.map((row, at) => `  ${at + 1}  ${row}`).join('\n')}`);
  const chosen = databases[Number(await ask(context, 'Which one', '1')) - 1];
  if (!chosen) throw usage(`There is no such number: 1 to ${databases.length}.`);
  return chosen;
}
