import { type AgentMetrics, type AgentSummary, type MetricsPoint, type MetricsRange, metricsRanges } from '@paddock/contract';
import { countText, dollarText, latencyText, percentText, shareText } from '@paddock/contract/figures';
import { healthScoreText } from '@paddock/contract/health';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';
import { clean, table } from '../terminal.ts';

interface Options extends TargetOptions {
  range: MetricsRange;
  all?: boolean;
}

export function metricsCommand(program: Command, run: Run) {
  program
    .command('metrics')
    .description("Show an agent's requests, latency, errors, uptime and cost.")
    .argument('[deployment|project]', 'an id (dep_…) or the name of a project')
    .option('--project <name>', "the project (default: this folder's)")
    .option('--env <environment>', 'production or preview', 'production')
    .addOption(new Option('--range <range>', 'how far back').choices(metricsRanges).default('24h'))
    .option('--all', 'all active agents, for the last 24 hours')
    .addHelpText(
      'after',
      examples([
        ['paddock metrics', 'the agent of this folder, its last 24 hours'],
        ['paddock metrics chat --range 7d', 'an agent by the name of its project'],
        ['paddock metrics --all', 'one line for each agent'],
      ]),
    )
    .action((target: string | undefined, options: Options, command: Command) =>
      run(command, async (context) => (options.all ? all(context) : one(context, target, options))),
    );
}

async function one(context: Context, given: string | undefined, options: Options) {
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given, options });
  const metrics = await server.api.metrics.agent({ id, time_range: options.range });
  context.terminal.result(metrics, clean(describe(metrics)));
}

async function all(context: Context) {
  const { api } = await context.server();
  const agents: AgentSummary[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api.metrics.agents({ limit: 500, ...(cursor ? { cursor } : {}) });
    agents.push(...page.agents);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  const rows = agents.map((agent) => [
    agent.agent_name,
    agent.environment,
    countText(agent.requests_total),
    shareText(agent.error_rate),
    latencyText(agent.p95_latency_ms),
    sparkline(agent.requests_per_minute),
  ]);
  const headings = ['PROJECT', 'ENVIRONMENT', 'REQUESTS', 'ERRORS', 'P95', 'LAST 24 HOURS'];
  context.terminal.result({ agents }, rows.length > 0 ? table(headings, rows, context.terminal) : 'No agent is active.');
}

function describe(m: AgentMetrics): string {
  const health = m.health_score === null ? 'not measured yet' : `${healthScoreText(m.health_score)} of 100, ${m.health}`;
  const lowered = m.health_lowered_by ? `, lowered most by ${m.health_lowered_by}` : '';
  const memory = m.memory_usage_mb === null ? '–' : `${Math.round(m.memory_usage_mb)} of ${Math.round(m.memory_limit_mb ?? 0)} MB`;
  const rows: [string, string][] = [
    ['Agent', `${m.agent_name}, ${m.environment}, ${m.status}`],
    ['Range', `last ${m.time_range}`],
    ['Health', health + lowered],
    ['Uptime', percentText(m.uptime_percentage)],
    ['Requests', `${countText(m.requests_total)}  ${sparkline(m.requests_per_minute)}`],
    ['Failed', `${countText(m.requests_failed)} (${shareText(m.error_rate)})`],
    ['Latency', `${latencyText(m.avg_latency_ms)} on average`],
    ['Percentiles', `p50 ${latencyText(m.p50_latency_ms)}, p95 ${latencyText(m.p95_latency_ms)}, p99 ${latencyText(m.p99_latency_ms)}`],
    ['CPU', percentText(m.cpu_usage_percent)],
    ['Memory', memory],
    ['Restarts', `${m.restarts}${m.out_of_memory ? `, ${m.out_of_memory} of them out of memory` : ''}`],
    ['Cost', `${dollarText(m.cost_usd)}, ${dollarText(m.cost_per_1k_requests_usd)} per 1K requests`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(13)}${value}`).join('\n');
}

const bars = '▁▂▃▄▅▆▇█';
const columns = 24;

/** The maximum of each of 24 intervals; a blank if nothing was measured. */
export function sparkline(points: readonly MetricsPoint[]): string {
  const length = Math.max(1, Math.ceil(points.length / columns));
  const stretches = Array.from({ length: Math.ceil(points.length / length) }, (_, n) => points.slice(n * length, (n + 1) * length));
  const values = stretches.map((stretch) =>
    stretch.reduce((most: number | null, { value }) => (value === null ? most : Math.max(most ?? 0, value)), null),
  );
  const top = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => (value === null ? ' ' : (bars[top === 0 ? 0 : Math.ceil((value / top) * (bars.length - 1))] ?? ' ')))
    .join('');
}
