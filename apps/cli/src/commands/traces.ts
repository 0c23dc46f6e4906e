import { traceStatuses } from '@paddock/contract';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import type { Run } from '../run.ts';
import { lostText, tracesText, traceText } from '../traces/trace-text.ts';
import { parseTime } from './logs.ts';

interface Options extends TargetOptions {
  since: string;
  status?: (typeof traceStatuses)[number];
  model?: string;
  minDuration?: string;
  search?: string;
  lines: string;
}

const maxListed = 500;

export function tracesCommand(program: Command, run: Run) {
  program
    .command('traces')
    .description('List the traces of an agent, or print one trace: its spans with times, tokens and cost.')
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .argument('[trace]', 'the id of a trace: 32 hexadecimal digits')
    .option('--since <time>', 'only traces since a time (2026-01-31T12:00) or for the past span (30m, 1h, 7d)', '1d')
    .addOption(new Option('--status <status>', 'only successful or failed traces').choices(traceStatuses))
    .option('--model <model>', 'only traces that called this model')
    .option('--min-duration <time>', 'only traces that took at least this long (500ms, 2s, 1m)')
    .option('--search <text>', 'only traces whose name contains this text, or whose id begins with it')
    .option('-n, --lines <number>', 'maximum number of traces, newest first', '50')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock traces', 'the agent of this folder, its last 24 hours'],
        ['paddock traces chat --status error --since 1h', 'what failed lately'],
        ['paddock traces chat 4bf92f3577b34da6a3ce929d0e0e4736', 'one trace with its spans'],
      ]),
    )
    .action((...[target, trace, options, command]: [string | undefined, string | undefined, Options, Command]) =>
      run(command, (context) => traces(context, { target, trace, options })),
    );
}

interface TraceFilters {
  target: string | undefined;
  trace: string | undefined;
  options: Options;
}

async function traces(context: Context, { target, trace, options }: TraceFilters) {
  // The project is optional: a single word may be the trace.
  const isTraceAlone = trace === undefined && target !== undefined && isTraceId(target);
  const wanted = isTraceAlone ? target : trace;
  if (wanted !== undefined && !isTraceId(wanted)) throw usage('The id of a trace has 32 hexadecimal digits; "paddock traces" lists them.');
  const filter = buildTraceFilter(options, new Date());
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given: isTraceAlone ? undefined : target, options });
  const { terminal } = context;
  if (wanted !== undefined) {
    const detail = await server.api.traces.get({ id, trace_id: wanted.toLowerCase() });
    return terminal.result(detail, traceText(detail, terminal));
  }
  const page = await server.api.traces.list({ id, ...filter });
  terminal.result(page, page.traces.length > 0 ? tracesText(page.traces, terminal) : 'No trace matches.');
  if (page.next_cursor !== null)
    terminal.note(`There are more. Narrow them with --since, --status or --model, or raise --lines (at most ${maxListed}).`);
  const lost = lostText(page.lost);
  if (lost) terminal.note(terminal.notePaint.dim(lost));
  return undefined;
}

const isTraceId = (text: string) => /^[0-9a-f]{32}$/i.test(text);

function buildTraceFilter({ since, status, model, minDuration, search, lines }: Options, now: Date) {
  const limit = Number(lines);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxListed) throw usage(`--lines is a number from 1 to ${maxListed}.`);
  return {
    limit,
    date_from: parseTime(since, now),
    ...(status ? { status } : {}),
    ...(model ? { model } : {}),
    ...(search ? { search } : {}),
    ...(minDuration === undefined ? {} : { min_duration_ms: parseDuration(minDuration) }),
  };
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const maxDurationMs = 86_400_000;

/** `500ms`, `1.5s`, `2m` in milliseconds. */
export function parseDuration(typed: string): number {
  const [, count, unit] = /^(\d{1,8}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(typed) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (!(ms <= maxDurationMs)) throw usage('--min-duration takes a time such as 500ms, 2s or 1m, at most 24h.');
  return ms;
}
