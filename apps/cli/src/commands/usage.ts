import type { UsageOfMonth } from '@paddock/contract';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import { usage } from '../failures.ts';
import type { Run } from '../run.ts';
import { clean, table } from '../terminal.ts';
import { modelUsageText } from '../traces/model-usage.ts';

interface Options {
  month?: string;
  models?: boolean;
}

export function usageCommand(program: Command, run: Run) {
  program
    .command('usage')
    .description('Show running time, traffic, storage and their cost, or what calls of models cost.')
    .option('--month <month>', 'only this month, such as 2026-11')
    .option('--models', 'tokens and cost of model calls by project and model, this month if none is named')
    .addHelpText(
      'after',
      examples([
        ['paddock usage', 'this month by project, and the months before'],
        ['paddock usage --month 2026-10', 'one month by project'],
        ['paddock usage --models', 'what models cost this month, by project and model'],
        ['paddock usage --json', 'also by day, for programs'],
      ]),
    )
    .action((options: Options, command: Command) => run(command, (context) => tell(context, options)));
}

async function tell(context: Context, { month, models }: Options) {
  if (models) return tellModels(context, month ?? new Date().toISOString().slice(0, 7));
  const { server, terminal } = context;
  const { api } = await server();
  const found = await api.usage.list(month === undefined ? {} : { month });
  const [shown, ...earlier] = found.usage;
  if (!shown) return undefined;
  const projects = (shown.by_project ?? []).map((of) => [of.is_deleted ? `${of.project_name} (deleted)` : of.project_name, ...figures(of)]);
  const parts = [
    describe(shown),
    projects.length > 0 ? table(['PROJECT', ...headings], projects, terminal) : 'No usage this month.',
    ...(earlier.length > 0
      ? [
          table(
            ['MONTH', ...headings],
            earlier.map((of) => [of.month, ...figures(of)]),
            terminal,
          ),
        ]
      : []),
  ];
  return terminal.result(found, clean(parts.join('\n\n')));
}

async function tellModels({ server, terminal }: Context, month: string) {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw usage('A month reads like 2026-11.');
  const lastDay = new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10);
  const { api } = await server();
  const report = await api.traces.usage({ date_from: `${month}-01`, date_to: lastDay });
  terminal.result(report, clean(modelUsageText(report, terminal)));
}

const headings = ['COMPUTE HOURS', 'BANDWIDTH GB', 'STORAGE GB', 'COST'];
const dollars = (usd: number) => `$${usd.toFixed(2)}`;

const figures = (of: Pick<UsageOfMonth, 'compute_hours' | 'bandwidth_gb' | 'database_storage_gb' | 'cost'>) => [
  of.compute_hours.toFixed(1),
  of.bandwidth_gb.toFixed(1),
  of.database_storage_gb.toFixed(1),
  dollars(of.cost),
];

function describe(of: UsageOfMonth): string {
  const plan = of.base_plan_cost ?? 0;
  const rows: [string, string][] = [
    ['Month', `${of.month} (UTC), ${of.closed_at ? 'closed' : 'open'}`],
    ['Compute', `${of.compute_hours.toFixed(1)} hours (${of.core_hours.toFixed(1)} core hours)  ${dollars(of.compute_cost)}`],
    ['Bandwidth', `${of.bandwidth_gb.toFixed(1)} GB  ${dollars(of.bandwidth_cost)}`],
    ['Storage', `${of.database_storage_gb.toFixed(1)} GB  ${dollars(of.database_storage_cost)}`],
    ...(of.base_plan_cost === null ? [] : [['Base plan', dollars(of.base_plan_cost)] as [string, string]]),
    ['Total', dollars(plan + of.cost)],
    ...(of.projected ? [['Projected', `${dollars(plan + of.projected.cost)} at the end of the month`] as [string, string]] : []),
    ...of.corrections.map(({ of_month, cost }): [string, string] => ['Correction', `${dollars(cost)} of it belong to ${of_month}`]),
  ];
  return rows.map(([label, value]) => `${label.padEnd(12)}${value}`).join('\n');
}
