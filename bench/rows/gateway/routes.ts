import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../apps/server/src/db/connect.ts';
import { type Latency, latencyAt } from '../../load/paced.ts';
import { interleave, median, until } from '../../measure.ts';
import { visit } from '../../paddock.ts';
import { startWebAgent } from '../../peers/agents.ts';
import { beside, type Result, type Row } from '../../row.ts';
import { inFrontOf, type Sides } from '../../sides.ts';

const counts = [1, 100, 10_000];
const most = counts.at(-1)!;
const rounds = 3;
const perSecond = 1000;
const changeEveryMs = 100;
/** Number of agents whose routes change. Each of them gets a good part of the requests. */
const changing = 20;

export const row: Row = {
  name: 'gateway/routes',
  seconds: 50,
  run: (report) =>
    inFrontOf(
      () => startWebAgent(2),
      async (sides) => {
        await growth(sides, report);
        await changes(sides, report);
      },
      { withPeers: false },
    ),
};

async function growth({ ours, sql, agent }: Sides, report: (result: Result) => void) {
  const works = counts.map((count) => async () => {
    await makeRoutes(sql, { count, target: agent.ports[0]!, gateway: ours.port });
    return latencyAt(ours, { hosts: hosts(count), perSecond, seconds: 2, connections: 8 });
  });
  await works[0]!();
  const measured = await interleave(rounds, works);
  const unit = 'ms';
  for (const [share, of] of [['p50', (one: Latency) => one.p50] as const, ['p99', (one: Latency) => one.p99] as const]) {
    const [one, ...more] = measured.map((list) => ({ values: list.map(of), digits: 2 }));
    for (const [n, ours] of more.entries()) {
      const grown = median(ours.values.map((value, at) => value / one!.values[at]!)).toFixed(2);
      const work = `gateway, ${perSecond} requests per second over ${counts[n + 1]} routes, ${share}`;
      report(beside({ work, unit, better: 'less', ours, peer: { name: 'over 1 route', ...one! }, note: `growth ${grown}×` }));
    }
  }
}

/** Every second change removes an agent's address from the only route that had it. */
async function changes({ ours, sql, agent }: Sides, report: (result: Result) => void) {
  const asked = hosts(most).filter((_, n) => n % (most / changing) === 0);
  const quiet = () => latencyAt(ours, { hosts: asked, perSecond, seconds: 3, connections: 8 });
  const whileChanging = async () => {
    const over = new AbortController();
    const labels = asked.map((host) => host.split('.')[0]!);
    const [measured] = await Promise.all([
      quiet().finally(() => over.abort()),
      changeRoutes(sql, { labels, ports: agent.ports, signal: over.signal }),
    ]);
    return measured;
  };
  const [still, moving] = await interleave(rounds, [quiet, whileChanging]);
  const work = `gateway, ${1000 / changeEveryMs} changes per second of ${most} routes under load`;
  for (const [what, of] of [['p99', (one: Latency) => one.p99] as const, ['slowest request', (one: Latency) => one.max] as const]) {
    const values = (list: Latency[]) => ({ values: list.map(of), digits: 2 });
    report(
      beside({
        work: `${work}, ${what}`,
        unit: 'ms',
        better: 'less',
        ours: values(moving!),
        peer: { name: 'no changes', ...values(still!) },
      }),
    );
  }
  const slow = (list: Latency[]) => list.reduce((sum, one) => sum + one.slow, 0);
  const requests = moving!.reduce((sum, one) => sum + one.count, 0);
  report({
    work: `${work}, requests above 100 ms`,
    unit: `of ${requests}`,
    ours: `${slow(moving!)}`,
    peer: `no changes: ${slow(still!)}`,
    goal: 'none',
    met: slow(moving!) === 0,
  });
}

const hosts = (count: number) => Array.from({ length: count }, (_, n) => `route${n + 1}.localhost`);

/** Makes exactly `count` routes to the same agent, and waits until the gateway knows them. */
async function makeRoutes(sql: Sql, { count, target, gateway }: { count: number; target: number; gateway: number }) {
  await sql`delete from routes where label like 'route%' and substr(label, 6)::int > ${count}`;
  await sql`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, version)
    select 'route' || n, team_id, project_id, deployment_id, state, target_host, ${target}::int, 1
    from routes, generate_series(1, ${count}::int) n
    where label = 'bench0'
    on conflict (label) do nothing`;
  const status = async (n: number) => (await visit(gateway, `route${n}.localhost`)).status;
  await until('the gateway knows the routes', async () => (await status(count)) === 200 && (await status(count + 1)) === 404);
}

/** Moves one label after the other to the agent's second address for a moment, and back. */
async function changeRoutes(sql: Sql, { labels, ports, signal }: { labels: string[]; ports: number[]; signal: AbortSignal }) {
  for (let n = 0; !signal.aborted || n % 2 === 1; n++) {
    const label = labels[Math.floor(n / 2) % labels.length]!;
    await sql`update routes set target_port = ${ports[(n + 1) % 2]!} where label = ${label}`;
    await sleep(changeEveryMs);
  }
}
