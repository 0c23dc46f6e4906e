import type { BillingState, RunningPayment } from '@paddock/contract';
import { freePlan, plans } from '@paddock/contract/plans';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

export function planCommand(program: Command, run: Run) {
  program
    .command('plan')
    .description("Show the team's plan, its paid-until date and what is due. Change it in the console.")
    .addHelpText(
      'after',
      examples([
        ['paddock plan', 'the plan, its period and its payment'],
        ['paddock plan --json', 'the same for programs'],
      ]),
    )
    .action((_options: unknown, command: Command) => run(command, tell));
}

async function tell({ server, terminal }: Context) {
  const { api } = await server();
  const state = await api.billing.subscription({});
  terminal.result(state, clean(describe(state)));
}

const dollars = (usd: number) => `$${usd.toFixed(2)}`;
const day = (at: string) => at.slice(0, 10);

function describe({ subscription, payment, credit, is_test }: BillingState): string {
  const rows: [string, string][] = subscription
    ? [
        ['Plan', `${plans[subscription.plan].name}, ${dollars(plans[subscription.plan].price_cents / 100)} per month`],
        ['Status', subscription.status === 'active' ? 'active' : 'past due'],
        ['Period', `${day(subscription.current_period_start)} to ${day(subscription.current_period_end)} (UTC)`],
        ...(subscription.cancel_at_period_end
          ? [['Ends', `${day(subscription.current_period_end)}: it is cancelled`] as [string, string]]
          : []),
      ]
    : [['Plan', `${freePlan.name}: ${freePlan.features.join(', ')}`]];
  if (payment) rows.push(['To pay', describePayment(payment)]);
  if (credit > 0) rows.push(['Credit', dollars(credit)]);
  if (is_test) rows.push(['Test mode', 'no money moves']);
  return rows.map(([label, value]) => `${label.padEnd(12)}${value}`).join('\n');
}

const states = {
  running: 'under way',
  needs_confirmation: 'waits for a confirmation in the console',
  declined: 'declined',
  unpaid: 'not paid',
} as const;

const describePayment = ({ state, amount, next_try_at, ends_at }: RunningPayment) =>
  [
    `${dollars(amount)}, ${states[state]}`,
    ...(next_try_at ? [`; tried again on ${day(next_try_at)}`] : []),
    ...(ends_at ? [`; until ${day(ends_at)}`] : []),
  ].join('');
