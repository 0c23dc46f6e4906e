import { randomUUID } from 'node:crypto';
import type { Residency } from '@paddock/contract';
import type { Core, Feature } from '../../../core.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import { processIdentity } from '../../../process/process-identity.ts';
import { createCheckRunner } from './check-runner.ts';
import { checkScheduleStore } from './check-schedule-store.ts';
import type { Control } from './control.ts';
import type { ControlDeps } from './control-deps.ts';
import { createControlRunner } from './control-runner.ts';
import { implementedControls } from './controls.ts';
import { evidencePackage } from './evidence/package.ts';
import { createOverview } from './overview.ts';
import { recheckAfterChanges } from './recheck.ts';
import { resultStore } from './result-store.ts';
import { complianceRoutes } from './routes.ts';
import { runClaimStore } from './run-claim-store.ts';
import { runStore } from './run-store.ts';
import { createScheduledChecks } from './scheduled-checks.ts';
import { waiverStore } from './waiver-store.ts';

/** How long one control may take. */
const maxMs = 20_000;

interface Deps extends Omit<ControlDeps, keyof Core | keyof Core['config'] | 'now'> {
  version: string;
  /** Locations where a team's data is stored, and to which it is sent. */
  residency: (team_id: string) => Promise<Residency>;
  accessReviews: ControlDeps['accessReviews'] & { evidence: (team_id: string) => Promise<readonly unknown[]> };
  /** Replaces the controls of this installation. */
  controls?: readonly Control[] | undefined;
  /** How long one control may take. */
  controlMs?: number | undefined;
}
interface Exports {
  /** Aborts checks in progress; another server resumes them. */
  close: () => Promise<void>;
}

/** Checks the running installation against controls, and derives the status of frameworks. */
export function complianceFeature(core: Core, needs: Deps): Feature<Exports> {
  const { sql, config, log } = core;
  const controls = needs.controls ?? implementedControls({ ...core, ...config, ...needs, now: Date.now });
  const results = resultStore(sql);
  const turns = checkScheduleStore(sql);
  const runs = runStore(sql);
  const waivers = waiverStore(sql);
  const overview = createOverview({ controls, results, waivers, retention_days: config.auditRetentionDays });
  const runControl = createControlRunner({ results, version: needs.version, maxControlMs: needs.controlMs ?? maxMs, log });
  const checks = createCheckRunner({
    controls,
    runs: runClaimStore(sql),
    turns,
    results,
    runControl,
    owner: `${processIdentity()} ${randomUUID()}`,
    log,
  });
  const { version, residency } = needs;
  const evidence = evidencePackage({
    databaseUrl: core.databaseUrl,
    controls,
    retention_days: config.auditRetentionDays,
    residency,
    version,
    accessReviews: needs.accessReviews.evidence,
  });
  const due = createScheduledChecks({ controls, turns, runControl, each: createIsolatedLoop(log, 'compliance control check'), log });
  const rechecks = recheckAfterChanges({ changes: core.changes, turns, check: due.check, log });
  const sweep = async () => {
    await results.sweep();
    await turns.sweep();
    await runs.sweep();
  };
  return {
    routes: [complianceRoutes({ controls, overview, results, runs, waivers, evidence, wake: checks.wake })],
    jobs: [
      { name: 'compliance.check', everySeconds: 60, run: due.begin },
      { name: 'compliance.take-up', everySeconds: 20, run: async () => checks.wake() },
      { name: 'compliance.sweep', everySeconds: 3_600, run: sweep },
    ],
    exports: {
      async close() {
        await Promise.all([rechecks.close(), checks.close(), due.close()]);
      },
    },
  };
}
