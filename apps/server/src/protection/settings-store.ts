import { type DataProtectionSettings, withRedacted } from '@paddock/contract/data-protection';
import type { Sql } from '../db/connect.ts';
import { settingsFrom } from './settings.ts';

/** A project with its settings for personal data. */
export interface Protection {
  team_id: string;
  project_id: string;
  settings: Pick<DataProtectionSettings, 'rules' | 'redact_logs' | 'keep_span_content'>;
}

/** The settings of a deployment's project; undefined if the deployment no longer exists. */
export type ProtectionOf = (deployment_id: string) => Promise<Protection | undefined>;

/** How long a result is cached, and so the delay until a change takes effect. */
const keptMs = 5_000;
const maxEntries = 10_000;

/** Reads the settings of a deployment's project, at most every few seconds. A rejection is not cached. */
export function createProtectionReader(sql: Sql, now: () => number = () => performance.now()): ProtectionOf {
  const known = new Map<string, { asked: Promise<Protection | undefined>; until: number }>();

  return async (deployment_id) => {
    const found = known.get(deployment_id);
    if (found && found.until > now()) return found.asked;
    const asked = read(deployment_id);
    known.delete(deployment_id);
    known.set(deployment_id, { asked, until: now() + keptMs });
    if (known.size > maxEntries) known.delete(known.keys().next().value!);
    asked.catch(() => known.get(deployment_id)?.asked === asked && known.delete(deployment_id));
    return asked;
  };

  async function read(deployment_id: string): Promise<Protection | undefined> {
    const [row] = await sql<{ team_id: string; project_id: string; settings: unknown; redacted: string[] }[]>`
      select d.team_id, d.project_id, p.settings, redacted_types(d.team_id) as redacted
      from deployments d
      left join data_protection p on p.project_id = d.project_id
      where d.id = ${deployment_id}`;
    if (!row) return undefined;
    const { redacted, settings, ...of } = row;
    return { ...of, settings: withRedacted(settingsFrom(settings), redacted) };
  }
}
