import { ask } from './ask.ts';
import type { Context, Server } from './context.ts';
import { notFound } from './failures.ts';
import { findProject } from './project.ts';

interface NamedProject {
  server: Server;
  name: string;
  /** From --create: a missing project is created without a question. */
  create: boolean;
}

/**
 * Refuses a project that was named on the command line and does not exist, so that a typing mistake creates none. A person on a terminal is
 * asked whether to create it.
 */
export async function refuseMistypedProject(context: Context, { server, name, create }: NamedProject): Promise<void> {
  if (create || (await findProject(server, name)) !== undefined) return;
  const absent = `There is no project ${name} on ${server.url}.`;
  if (context.terminal.isInteractive) {
    context.terminal.note(absent);
    if (/^y(es)?$/i.test(await ask(context, 'Create it? (y/N)'))) return;
  }
  throw notFound(`${absent} "paddock projects" lists yours; --create creates this one. Nothing was sent.`);
}
