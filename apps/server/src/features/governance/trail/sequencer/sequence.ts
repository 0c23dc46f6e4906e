import { type AuditEvent, type ChainedRecord, chained, firstHash } from '@paddock/audit';
import { plural } from '@paddock/contract/plural';
import type { Tx } from '../../../../db/connect.ts';
import type { BlankingOf } from '../../../../protection/agent-secrets/known-secrets.ts';
import { hourOf, type PiiCount } from '../../../../protection/pii-hours-store.ts';
import { appendRecords } from './append-store.ts';
import { withoutSecrets } from './blank-event.ts';
import { type IntakeRow, type ParsedEvents, parseEvents } from './parse-events.ts';
import type { Head, SequenceStore } from './sequence-store.ts';

interface SequencingDeps {
  store: SequenceStore;
  readBlanking: BlankingOf;
  warn: (warning: string) => void;
}

/** Maximum number of cached agents whose names are stored already. */
const maxKnown = 10_000;

/**
 * Adds the records in the intake to the chains of their teams: in one transaction, by one server of the installation at a time. A turn resolves to
 * the number of records that it has added; null if another server is active.
 */
export function createSequencer({ store, readBlanking, warn }: SequencingDeps) {
  const known = new Map<string, string>();
  /** The team that was served last; the next batch begins with the team after it. */
  let lastTeam = '';

  return async function sequenceBatch(): Promise<number | null> {
    let made = 0;
    const mine = await store
      .alone(async (tx) => {
        const { rows, recorded_at, last } = await store.take(tx, lastTeam);
        lastTeam = last;
        const events: AuditEvent[] = [];
        for (const row of rows) events.push(...(await read(tx, row)));
        const blanked = await Promise.all(events.map((event) => withoutSecrets(event, readBlanking)));
        if (blanked.length > 0) await record(tx, blanked, recorded_at);
        made = events.length;
      })
      .catch((error: unknown) => {
        known.clear(); // names may have been rolled back with the transaction
        throw error;
      });
    return mine ? made : null;
  };

  async function record(tx: Tx, events: AuditEvent[], recorded_at: string): Promise<void> {
    const team_ids = [...new Set(events.map(({ team_id }) => team_id))];
    const heads = new Map((await store.heads(tx, team_ids)).map((head) => [head.team_id, head]));
    const records: ChainedRecord[] = [];
    for (const event of events) {
      const { team_id } = event;
      const { seq, hash } = heads.get(team_id) ?? { seq: 0, hash: firstHash(team_id) };
      const next = chained(event, { seq: seq + 1, previous: hash, recorded_at });
      heads.set(team_id, { team_id, seq: next.seq, hash: next.hash });
      records.push(next);
    }
    await appendRecords(tx, records);
    await store.moveHeads(tx, [...heads.values()].toSorted(byTeam), recorded_at);
    const agents = findNewAgents(events);
    if (agents.length > 0) await store.nameAgents(tx, agents);
    const counts = countPii(events);
    if (counts.length > 0) await store.count(tx, counts);
  }

  function findNewAgents(events: AuditEvent[]) {
    const found = new Map<string, { team_id: string; agent_id: string; agent_name: string }>();
    for (const { team_id, agent_id, agent_name } of events) {
      if (agent_id === null || agent_name === null) continue;
      const key = `${team_id} ${agent_id}`;
      if (known.get(key) !== agent_name) found.set(key, { team_id, agent_id, agent_name });
    }
    if (known.size > maxKnown) known.clear();
    for (const [key, { agent_name }] of found) known.set(key, agent_name);
    return [...found.values()];
  }

  /** The events of a row. What cannot be read of it is counted in a warning; broken lines are kept, with the row, in `audit_unreadable`. */
  async function read(tx: Tx, row: IntakeRow): Promise<AuditEvent[]> {
    try {
      const { events, damaged, broken_lines } = parseEvents(row);
      if (damaged.size > 0)
        warn(`audit intake row ${row.number} has fields that are unreadable, recorded without them: ${listed(damaged)}`);
      if (broken_lines.length > 0)
        await putAside(tx, row, `${plural(broken_lines.length, 'line')} of it: no JSON in line ${broken_lines[0]}`);
      return events;
    } catch (error) {
      await putAside(tx, row, (error as Error).message);
      return [];
    }
  }

  async function putAside(tx: Tx, row: IntakeRow, message: string): Promise<void> {
    await store.putAside(tx, row, message);
    warn(`audit intake row ${row.number} is unreadable; moved to audit_unreadable: ${message}`);
  }
}

/** `status (3), actor (1)` */
const listed = (damaged: ParsedEvents['damaged']) => [...damaged].map(([name, count]) => `${name} (${count})`).join(', ');

const byTeam = (a: Head, b: Head) => (a.team_id < b.team_id ? -1 : 1);

function countPii(events: readonly AuditEvent[]): PiiCount[] {
  const sums = new Map<string, PiiCount>();
  for (const { team_id, agent_id, timestamp, pii } of events) {
    if (!pii) continue;
    const project_id = agent_id ?? '';
    const hour = hourOf(Date.parse(timestamp));
    const key = `${team_id} ${project_id} ${hour}`;
    const sum = sums.get(key) ?? { team_id, project_id, hour, scans: 0, detected: 0, redacted: 0, types: {} };
    sum.scans += pii.scans;
    sum.detected += pii.detected;
    sum.redacted += pii.redacted;
    for (const [type, count] of Object.entries(pii.types)) sum.types[type] = (sum.types[type] ?? 0) + count;
    sums.set(key, sum);
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
