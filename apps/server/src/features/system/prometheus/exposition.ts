import type { RequestFigures } from '../../../http/request-figures.ts';
import { type Agent, agentFamilies } from './agent-families.ts';
import type { AgentStore } from './agent-store.ts';
import { platformFamilies } from './platform-families.ts';
import type { PlatformReads } from './platform-reads.ts';
import { type Disk, serverFamilies } from './server-families.ts';
import { textOf } from './text.ts';
import type { Totals } from './totals.ts';

export interface Most {
  agents: number;
  databases: number;
}
interface Deps {
  agents: AgentStore;
  platform: PlatformReads;
  requests: Pick<RequestFigures, 'counts' | 'durations'>;
  disks: () => Promise<Disk[]>;
  version: string;
  /** At most 35 series for each agent and 5 for each database. */
  most?: Most;
}

/** Renders the whole text. Totals before the line are read once an hour for each deployment, since they do not change until the line moves. */
export function exposition({
  agents,
  platform,
  requests,
  disks,
  version,
  most = { agents: 500, databases: 500 },
}: Deps): () => Promise<string> {
  let before = new Map<string, Totals>();

  async function readAgents(): Promise<{ told: Agent[]; isCut: boolean }> {
    const line = await agents.line();
    const found = await agents.listed(most.agents + 1);
    const rows = found.slice(0, most.agents);
    const keyOf = ({ id, since }: { id: string; since: string }) => `${id} ${since} ${line.hours}`;
    const unread = rows.filter((row) => !before.has(keyOf(row)));
    const read = unread.length > 0 ? await agents.before(unread, line) : new Map<string, Totals>();
    const after = rows.length > 0 ? await agents.after(rows, line) : new Map<string, Totals>();
    const settled = new Map<string, Totals>();
    const told = rows.flatMap((row) => {
      const early = before.get(keyOf(row)) ?? read.get(row.id);
      const late = after.get(row.id);
      if (!early || !late) return [];
      settled.set(keyOf(row), early);
      return [{ row, totals: addTotals(early, late) }];
    });
    before = settled;
    return { told, isCut: found.length > most.agents };
  }

  return async () => {
    const { told, isCut } = await readAgents();
    const databases = await platform.databases(most.databases + 1);
    const families = platformFamilies({
      version,
      nodes: await platform.nodes(),
      queue: await platform.queue(),
      mails: await platform.mails(),
      jobs: await platform.jobs(),
      shortages: await platform.shortages(),
      databases: databases.slice(0, most.databases),
      isCut: { agents: isCut, databases: databases.length > most.databases },
    });
    return textOf([...families, ...serverFamilies(requests, await disks()), ...agentFamilies(told)]);
  };
}

function addTotals(a: Totals, b: Totals): Totals {
  const latency = { ...a.latency };
  for (const [bucket, count] of Object.entries(b.latency)) latency[Number(bucket)] = (latency[Number(bucket)] ?? 0) + count;
  return {
    statuses: a.statuses.map((count, index) => count + (b.statuses[index] ?? 0)),
    upstream_errors: a.upstream_errors + b.upstream_errors,
    bytes_in: a.bytes_in + b.bytes_in,
    bytes_out: a.bytes_out + b.bytes_out,
    latency_us_sum: a.latency_us_sum + b.latency_us_sum,
    latency,
    cpu_ms: a.cpu_ms + b.cpu_ms,
  };
}
