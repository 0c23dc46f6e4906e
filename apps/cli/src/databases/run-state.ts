import type { Database } from '@paddock/contract';
import type { Context } from '../context.ts';
import type { TargetOptions } from '../deployment.ts';
import { exitCodes } from '../failures.ts';
import { withRetries } from '../retry.ts';
import { clean } from '../terminal.ts';
import { theDatabase } from './find-database.ts';
import { waitUntilDone } from './wait-until-done.ts';

type Options = TargetOptions & { wait: boolean };

const verbs = {
  start: { doing: 'Starting', done: 'Started', wanted: 'available' },
  stop: { doing: 'Stopping', done: 'Stopped', wanted: 'stopped' },
} as const satisfies Record<string, { doing: string; done: string; wanted: Database['status'] }>;
const failures: Database['status'][] = ['failed', 'unreachable', 'deleting'];
/** A failed database keeps its state until its node has taken the request up. */
const settleMs = 10_000;

/** Starts or stops a managed database and waits until it is so. */
export async function changeRunState(
  context: Context,
  action: keyof typeof verbs,
  { given, options }: { given: string | undefined; options: Options },
): Promise<number> {
  const { terminal, signal } = context;
  const { doing, done, wanted } = verbs[action];
  const server = await context.server();
  const { id, type, project_name, environment } = await theDatabase(context, { server, given, options });
  const name = `${type} of ${project_name} (${environment})`;
  const begun = await server.api.databases[action]({ id });
  if (!options.wait) {
    terminal.result(begun, `${doing} ${name}.`);
    return exitCodes.ok;
  }
  const began = Date.now();
  const now = await waitUntilDone(context, {
    what: `${doing} ${name}`,
    later: `paddock db list --project ${project_name}`,
    look: () => withRetries(() => server.api.databases.get({ id }), signal),
    isOver: ({ status }) => status === wanted || (failures.includes(status) && Date.now() - began > settleMs),
  });
  if (now.status !== wanted) {
    terminal.note(terminal.notePaint.red(clean(`${name} is ${now.status}: ${now.status_message ?? 'no reason was given'}`)));
    terminal.result(now, '');
    return exitCodes.failed;
  }
  terminal.result(now, `${done} ${name}.`);
  return exitCodes.ok;
}

/** Gives a managed database a new password. Agents that use it start anew. */
export async function rotatePassword(context: Context, given: string | undefined, options: TargetOptions) {
  const server = await context.server();
  const { id, type, project_name, environment } = await theDatabase(context, { server, given, options });
  const rotated = await server.api.databases.rotatePassword({ id });
  context.terminal.result(
    rotated,
    `${type} of ${project_name} (${environment}) has a new password. Agents that use it start anew with it. The address: paddock db url ${id}`,
  );
}
