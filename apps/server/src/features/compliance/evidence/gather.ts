import { type FrameworkId, frameworks, type Residency, type Waiver } from '@paddock/contract';
import type { overviews } from '../overview.ts';
import type { ResultStore } from '../result-store.ts';
import { clausesOf, stateOf } from '../standing.ts';
import { controlsOf, factsOf } from '../status.ts';
import type { WaiverStore } from '../waiver-store.ts';

export interface EvidenceParts {
  overview: Pick<ReturnType<typeof overviews>, 'assessed' | 'detail'>;
  results: Pick<ResultStore, 'history'>;
  waivers: Pick<WaiverStore, 'of'>;
  residency: (team_id: string) => Promise<Residency>;
  teamName: (team_id: string) => Promise<string>;
  version: string;
}

/** What an auditor gets of a framework. */
export type Evidence = Awaited<ReturnType<typeof gathered>>;

/** All that was checked and found for a framework, with what was accepted. */
export async function gathered({ overview, results, waivers, version, teamName }: EvidenceParts, team_id: string, framework: FrameworkId) {
  const [all, { controls: _, details: __, ...summary }] = await Promise.all([
    overview.assessed(team_id),
    overview.detail(team_id, framework),
  ]);
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
