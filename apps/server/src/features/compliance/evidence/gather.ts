import { type FrameworkId, frameworks, type Waiver } from '@paddock/contract';
import { detailOf, type overviews } from '../overview.ts';
import type { ResultStore } from '../result-store.ts';
import { clausesOf, stateOf } from '../standing.ts';
import { controlsOf, factsOf } from '../status.ts';
import type { WaiverStore } from '../waiver-store.ts';

export interface EvidenceParts {
  overview: Pick<ReturnType<typeof overviews>, 'assessed'>;
  results: Pick<ResultStore, 'history'>;
  waivers: Pick<WaiverStore, 'of'>;
  teamName: (team_id: string) => Promise<string>;
  version: string;
}

/** What an auditor gets of a framework. */
export type Evidence = Awaited<ReturnType<typeof gathered>>;

/** All that was checked and found for a framework, with what was accepted. */
export async function gathered({ overview, results, waivers, version, teamName }: EvidenceParts, team_id: string, framework: FrameworkId) {
  const all = await overview.assessed(team_id, controlsOf(framework), { withEvidence: true });
  const { controls: _, details: __, ...summary } = detailOf(framework, [...all.values()]);
  const controls = [];
  for (const id of controlsOf(framework)) {
    const assessed = all.get(id)!;
    const { scope } = factsOf(id);
    const own: Waiver[] = await waivers.of(team_id, id);
    controls.push({
      ...stateOf(assessed, clausesOf(id, framework)),
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
    clause_prefix: frameworks[framework].clause,
    team_id,
    team_name: await teamName(team_id),
    made_at: new Date().toISOString(),
    made_by: `Paddock ${version}`,
    means: 'Readiness as a program can show it. Certification needs an auditor.',
    controls,
  };
}
