import { setTimeout as sleep } from 'node:timers/promises';
import { type Deployment, type LogLine, logLevels } from '@paddock/contract';
import { type Command, Option } from 'commander';
import type { Context, Server } from '../context.ts';
import { deploymentsOf, type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { exitCodes, usage } from '../failures.ts';
import { followLog } from '../follow-log.ts';
import { lastLines, type StoredLines, type WantedLines } from '../last-lines.ts';
import { withRetries } from '../retry.ts';
import type { Run } from '../run.ts';
import { logText } from '../show-log.ts';

interface Options extends TargetOptions {
  follow?: boolean;
  level?: LogLine['level'];
  since?: string;
  lines: string;
}

const maxPageLines = 500;
/** `--since` reads back at most 100,000 lines. The console offers the download of longer logs. */
const maxPages = 200;

export function logsCommand(program: Command, run: Run) {
  program
    .command('logs')
    .description('Print the log of a deployment, and follow it with -f. That of a project goes on with its next deployment.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('-f, --follow', 'keep printing new lines')
    .addOption(new Option('--level <level>', 'only lines of this level').choices(logLevels))
    .option('--since <time>', 'only lines since a time (2026-01-31T12:00) or for the past span (30s, 15m, 2h, 1d)')
    .option('-n, --lines <number>', 'maximum number of lines, newest last', '100')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock logs -f', 'watch the agent of this folder'],
        ['paddock logs chat --level error --since 2h', 'what went wrong lately'],
        ['paddock logs dep_… --json | jq .message', 'one JSON object a line'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) => run(command, (context) => logs(context, target, options)));
}

async function logs(context: Context, target: string | undefined, options: Options) {
  const { terminal, signal } = context;
  const since = options.since === undefined ? undefined : parseTime(options.since, new Date());
  const count = Number(options.lines);
  if (!Number.isInteger(count) || count < 0 || count > maxPageLines) throw usage(`--lines is a number from 0 to ${maxPageLines}.`);
  const server = await context.server();
  const found = await theDeployment(context, { server, given: target, options });
  const show = (lines: LogLine[]) => {
    for (const line of lines)
      if ((!options.level || line.level === options.level) && (!since || line.created_at >= since))
        terminal.line(line, logText(line, terminal));
  };
  const stored = since
    ? await linesSince(server, { id: found.id, since, level: options.level })
    : await lastLines(server, { id: found.id, limit: count, level: options.level });
  show(stored.lines);
  if (stored.unsearched !== null)
    terminal.note(
      `Lines before ${stored.unsearched.toLocaleString('en')} were not searched: that takes too long. Download the log in the console.`,
    );
  if (!options.follow) return exitCodes.ok;
  try {
    await follow(context, { server, found, after: stored.last, show, isOfProject: target?.startsWith('dep_') !== true });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  // Ctrl-C is the usual way to end the log.
  return exitCodes.ok;
}

interface Followed {
  server: Server;
  found: Deployment;
  /** Number of the last line that is printed already. */
  after: number;
  show: (lines: LogLine[]) => void;
  /** Go on with the project's next deployment to the environment. */
  isOfProject: boolean;
}

async function follow({ terminal, signal }: Context, { server, found, after, show, isOfProject }: Followed) {
  const dim = (text: string) => terminal.note(terminal.notePaint.dim(text));
  const onReconnect = (attempt: number) => dim(`The connection was cut. Attempt ${attempt} of 5 …`);
  await followLog({ server, deploymentId: found.id, after, signal, onLines: show, onReconnect });
  for (let last = found; isOfProject && !signal.aborted; ) {
    dim(`The log of ${last.id} is over. Waiting for the next deployment of ${last.project_name} (${last.environment}) …`);
    last = await nextDeployment(server, last, signal);
    dim(`Log of ${last.id}:`);
    await followLog({ server, deploymentId: last.id, after: 0, signal, onLines: show, onReconnect });
  }
}

/** Between two looks for a new deployment. */
const lookEveryMs = 2000;

/** The first deployment to the same environment after this one, which may have been made already. */
async function nextDeployment(server: Server, last: Deployment, signal: AbortSignal): Promise<Deployment> {
  for (;;) {
    const rows = await withRetries(() => deploymentsOf(server, { projectId: last.project_id, environment: last.environment }), signal);
    const next = rows.filter(({ created_at }) => created_at > last.created_at).at(-1);
    if (next !== undefined) return next;
    await sleep(lookEveryMs, undefined, { signal });
  }
}

/** Reads back, page by page, until a line is older than `since`. */
async function linesSince({ api }: Server, { id, since, level }: WantedLines & { since: string }): Promise<StoredLines> {
  const { logs: newest } = await api.logs.list({ id, limit: 1 });
  const last = newest.at(-1)?.number ?? 0;
  const pages: LogLine[][] = [];
  const read = (unsearched: number | null): StoredLines => ({ lines: pages.flat(), last, unsearched });
  let before = last + 1;
  for (let page = 0; page < maxPages && before > 1; page++) {
    const { logs: lines, searched_to } = await api.logs.list({ id, limit: maxPageLines, before, ...(level ? { level } : {}) });
    const [first] = lines;
    if (!first && (searched_to ?? null) === null) return read(null);
    pages.unshift(lines.filter(({ created_at }) => created_at >= since));
    if (first && first.created_at < since) return read(null);
    before = searched_to ?? first?.number ?? 0;
  }
  return read(before > 1 ? before : null);
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A time as ISO 8601 in UTC. `15m` counts back from now. */
export function parseTime(typed: string, now: Date, option = '--since'): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(typed) ?? [];
  if (count !== undefined && unit !== undefined) return new Date(now.getTime() - Number(count) * (units[unit] ?? 1) * 1000).toISOString();
  const at = /^\d{4}-\d\d-\d\d/.test(typed) ? new Date(typed) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) throw usage(`${option} takes a time such as 2026-01-31T12:00, or a while such as 30s, 15m, 2h or 1d.`);
  return at.toISOString();
}
