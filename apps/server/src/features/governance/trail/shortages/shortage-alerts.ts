import type { System } from '@paddock/contract';
import type { Reserve } from '../../../../disk/reserve.ts';
import { createIsolatedLoop } from '../../../../jobs/isolated-loop.ts';
import type { Log } from '../../../../log.ts';
import type { Shortage, ShortageStore } from './shortage-store.ts';

/** Both states share a rule, so that a shortage that becomes worse is the same alert. */
const rule = 'audit_shortage';

interface ShortageAlert {
  rule: typeof rule;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  lasting: true;
}
export interface AlertsOfShortages {
  raise(team_id: string, alert: ShortageAlert): Promise<void>;
  clear(team_id: string, cause: { rule: string }): Promise<void>;
  unclearedTeams(rule: string): Promise<{ team_id: string; message: string }[]>;
}

interface Deps {
  store: Pick<ShortageStore, 'removeSilent' | 'byTeam'>;
  alerts: AlertsOfShortages;
  reserve: Reserve;
  log: Log;
}

/** Raises an alert for each team whose exchanges lack bodies or records, and clears it when its gateways have room again. */
export function shortageAlerts({ store, alerts, reserve, log }: Deps) {
  // The full disk may be the database's as well.
  const each = createIsolatedLoop(log, 'updating the alert about an audit spool shortage', { reserve });
  return async () => {
    await reserve.withRoom('note', () => store.removeSilent());
    const [shortages, open] = await Promise.all([store.byTeam(), alerts.unclearedTeams(rule)]);
    const messageOf = new Map(open.map(({ team_id, message }) => [team_id, message]));
    const changed = shortages
      .map(({ team_id, ...shortage }) => ({ team_id, alert: buildShortageAlert(shortage) }))
      .filter(({ team_id, alert }) => messageOf.get(team_id) !== alert.message);
    await each(
      changed,
      ({ team_id }) => team_id,
      ({ team_id, alert }) => alerts.raise(team_id, alert),
    );
    const concerned = new Set(shortages.map(({ team_id }) => team_id));
    await each(
      open.filter(({ team_id }) => !concerned.has(team_id)),
      ({ team_id }) => team_id,
      ({ team_id }) => alerts.clear(team_id, { rule }),
    );
  };
}

function buildShortageAlert(shortage: Shortage): ShortageAlert {
  const { reason, remedy } = describeShortage(shortage);
  const title = shortage.is_unrecorded ? 'Requests cannot be recorded' : 'Requests are recorded without their bodies';
  const severity = shortage.is_unrecorded ? 'critical' : 'warning';
  return { rule, severity, title, message: `${reason} ${remedy} This alert ends when bodies are recorded again.`, lasting: true };
}

/** The banner that all people of this installation see on every page; null while there is room. */
export async function recordingProblem(store: Pick<ShortageStore, 'all'>): Promise<System['recording_problem']> {
  const shortage = await store.all();
  return shortage ? describeShortage(shortage) : null;
}

function describeShortage({ since, is_disk, is_unrecorded }: Shortage): { reason: string; remedy: string } {
  const cause = is_disk ? "A gateway's disk is full" : 'The database takes in the records of a gateway too slowly';
  const effect = is_unrecorded
    ? 'there is no room left for the audit trail, and the setting of each project decides whether its agents answer 503 or serve without a record'
    : 'requests to agents and their answers are recorded without bodies';
  const remedy = is_disk
    ? 'The operator of this installation needs to free space on the disk of the data directory.'
    : 'It passes once the database has caught up; if it lasts, the operator of this installation needs to look at the database.';
  return { reason: `${cause} since ${since.slice(0, 16).replace('T', ' ')} UTC: ${effect}.`, remedy };
}
