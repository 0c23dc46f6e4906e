import type { PlantedBug } from '../bug.ts';

const deployments = 'apps/server/src/features/deployments';
const alerts = `${deployments}/agent-alerts.test.ts`;

/** Bugs in the health checks of agents, in their first minute, in their status messages, and in button presses that arrive twice. */
export const startBugs: PlantedBug[] = [
  {
    bug: 'an agent that computes in silence is taken for a worker',
    promise: 'silence is no proof: only an agent at rest is a worker by its silence',
    file: `${deployments}/run/readiness.ts`,
    from: 'if ((await rests()) || elapsed >= seconds * 1000) return true;',
    to: 'if ((await rests()) || elapsed > 0) return true;',
    caught_by: { file: `${deployments}/run/slow-start.test.ts`, test: 'a first deployment that computes' },
  },
  {
    bug: 'what its archive calls a worker is active while it still imports',
    promise: 'only an agent at rest is ready by its silence, whatever its archive says',
    file: `${deployments}/run/agent-kind.ts`,
    from: "const has_run = d.status === 'active';",
    to: "const has_run = d.status !== 'stopped';",
    caught_by: { file: `${deployments}/run/still-starting.test.ts`, test: 'an agent that computes' },
  },
  {
    bug: 'an agent that looks a name up is at rest',
    promise: 'an agent that cannot reach its service has failed to start',
    file: `${deployments}/run/idle-detector.ts`,
    from: '!after.is_connecting &&',
    to: '!after.is_waiting &&',
    caught_by: { file: `${deployments}/run/still-starting.test.ts`, test: 'an agent that looks a name up' },
  },
  {
    bug: 'that the agent before it listened counts for nothing',
    promise: 'P3: a redeploy loses no visitor',
    file: `${deployments}/run/agent-kind.ts`,
    from: "if (seen.before === 'web') return",
    to: "if (seen.before === 'web' && seen.before === null) return",
    caught_by: { file: `${deployments}/run/slow-start.test.ts`, test: 'a redeploy of an agent that takes long' },
  },
  {
    bug: 'a crash in the first minute is restarted like any other',
    promise: 'what crashes in its first minute has failed to start, and the one before serves again',
    file: `${deployments}/run/process-exits.ts`,
    from: 'if (instance && d.restarts === 0 && isEarlyExit(',
    to: 'if (instance && d.restarts === -1 && isEarlyExit(',
    caught_by: { file: `${deployments}/predecessor.test.ts`, test: 'a web agent that crashes in its first minute' },
  },
  {
    bug: 'builds go on while two gateways serve beside each other',
    promise: 'nobody meets the new deployment and then the one before it',
    file: 'apps/server/src/start.ts',
    from: 'await gateway?.takeOver();',
    to: 'void gateway?.takeOver();',
    caught_by: { file: 'faults/short/killed.test.ts', test: 'kill -9 of the server; at its start the gateway of the run before' },
  },
  {
    bug: 'each failed deployment of an environment raises an alert of its own',
    promise: 'one open alert per project, environment and rule, and one mail',
    file: 'apps/server/src/features/alerts/bell/cause.ts',
    from: 'and project_id = ${project_id ?? null}',
    to: 'and project_id = ${project_id ?? null} and deployment_id = ${deployment_id ?? null}',
    caught_by: { file: alerts, test: 'a failed production deployment raises one alert' },
  },
  {
    bug: 'an older deployment that starts again ends the alert of a newer one',
    promise: 'an alert ends when its cause has ended',
    file: 'apps/server/src/features/alerts/bell/clear.ts',
    from: ') < d.created_at`',
    to: ') is not null`',
    caught_by: { file: alerts, test: 'an older deployment that starts again' },
  },
  {
    bug: 'a second press is refused while the first is worked on',
    promise: 'what carries one Idempotency-Key is done once, and all hear the same',
    file: 'apps/server/src/http/idempotency.ts',
    from: 'performance.now() < end; pauseMs',
    to: 'performance.now() < 0; pauseMs',
    caught_by: { file: 'apps/server/src/http/idempotency.test.ts', test: 'a press that comes while the same one' },
  },
];
