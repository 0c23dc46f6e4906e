import type { FrameworkId, Waiver } from '@paddock/contract';
import type { Sql } from '../../../../db/connect.ts';
import { clauseTexts, toControlState } from '../assess-control.ts';
import { controlFacts } from '../framework-status.ts';
import { buildComplianceDetail, type createOverview } from '../overview.ts';
import type { ResultStore } from '../result-store.ts';
import type { WaiverStore } from '../waiver-store.ts';

export interface EvidenceDeps {
  overview: Pick<ReturnType<typeof createOverview>, 'ofFramework'>;
  results: Pick<ResultStore, 'history'>;
  waivers: Pick<WaiverStore, 'of'>;
  sql: Sql;
  version: string;
}

/** The evidence about a framework for an auditor. */
export type Evidence = Awaited<ReturnType<typeof gatherEvidence>>;

/** Collects all results for a framework, with the waivers. */
export async function gatherEvidence({ overview, results, waivers, version, sql }: EvidenceDeps, team_id: string, framework: FrameworkId) {
  const all = await overview.ofFramework(team_id, framework);
  const { controls: _, details: __, ...summary } = buildComplianceDetail(framework, all);
  const controls = [];
  for (const assessed of all) {
    const id = assessed.control;
    const { scope } = controlFacts(id);
    const own: Waiver[] = await waivers.of(team_id, id);
    controls.push({
      ...toControlState(assessed, clauseTexts(id, framework)),
      scope,
      resources: assessed.resources,
      resources_total: assessed.resources_total,
      version: assessed.version,
      history: (await results.history(scope === 'team' ? team_id : null, id)).slice(0, 50),
      waivers: own,
    });
  }
  return {
    ...summary,
    team_id,
    team_name: await teamName(sql, team_id),
    made_at: new Date().toISOString(),
    made_by: `Paddock ${version}`,
    means: 'Readiness as a program can show it. Certification needs an auditor.',
    controls,
  };
}

async function teamName(sql: Sql, team_id: string): Promise<string> {
  const [team] = await sql<{ name: string }[]>`
    select name
    from teams
    where id = ${team_id}`;
  return team?.name ?? team_id;
}
