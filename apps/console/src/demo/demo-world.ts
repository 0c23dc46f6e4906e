import type { ApiKey, Deployment, DeploymentDetail, LogLine, Project, Variable } from '@paddock/contract';
import { sampleKeys } from '../features/api-keys/demo/samples.ts';
import { databaseWorld } from '../features/databases/demo/world.ts';
import {
  activeLine,
  buildLines,
  type Draft,
  failureLines,
  queuedLines,
  startLines,
  workLine,
} from '../features/deployments/demo/log-lines.ts';
import { planOf, type SampleKind } from '../features/deployments/demo/plans.ts';
import { agentUrl, sampleDeployments, sampleProjects, sampleVariables } from '../features/deployments/demo/samples.ts';

export interface DemoDeployment {
  row: Deployment;
  kind: SampleKind;
  plan: DeploymentDetail['plan'];
  lines: LogLine[];
  /** Agent lines written so far. */
  worked: number;
}

const isFinal = ({ status }: Deployment) => status === 'failed' || status === 'stopped' || status === 'completed';
const liveLineMs = 1400;
/** As many lines as the viewer holds; older ones of the demo go. */
const lineMax = 50_000;

export type DemoWorld = ReturnType<typeof createDemoWorld>;

/** Everything the demo knows, and its clock: deployments walk through their stages and agents write while someone reads along. */
export function createDemoWorld(now = Date.now()) {
  const projects: Project[] = sampleProjects(now);
  const variables: (Variable & { project_id: string })[] = sampleVariables(now);
  const keys: ApiKey[] = sampleKeys(now);
  const deployments: DemoDeployment[] = [];
  const watchers = new Set<() => void>();
  let version = 1;

  function changed() {
    version += 1;
    for (const tell of watchers) tell();
  }

  function write(deployment: DemoDeployment, drafts: readonly Draft[], at = Date.now()) {
    for (const draft of drafts) {
      const number = (deployment.lines.at(-1)?.number ?? 0) + 1;
      deployment.lines.push({
        id: `log_${number}_${deployment.row.id.slice(-6)}`,
        number,
        ...draft,
        created_at: new Date(at).toISOString(),
      });
    }
    if (deployment.lines.length > lineMax) deployment.lines.splice(0, deployment.lines.length - lineMax);
    for (const tell of watchers) tell();
  }

  /** The stages ahead, each after its milliseconds. A deployment stopped or cancelled meanwhile stays as it is. */
  function walk(deployment: DemoDeployment, ahead: { building?: number; deploying?: number; active: number }) {
    const later = (ms: number | undefined, act: () => void) => {
      if (ms !== undefined) setTimeout(() => !isFinal(deployment.row) && deployments.includes(deployment) && act(), ms);
    };
    const builds = buildLines(deployment.kind);
    const from = ahead.building ?? 0;
    const spread = ((ahead.deploying ?? ahead.active) - from) / (builds.length + 1);
    later(ahead.building, () => become(deployment, { status: 'building', building_at: stamp() }));
    const written = deployment.row.status === 'queued' ? 0 : Math.floor(builds.length / 2);
    if (ahead.deploying !== undefined)
      for (const [index, draft] of builds.slice(written).entries()) later(from + spread * (index + 1), () => write(deployment, [draft]));
    later(ahead.deploying, () => {
      const plan = planOf(deployment.kind);
      deployment.plan = plan;
      become(deployment, { status: 'deploying', deploying_at: stamp(), agent_type: plan.type });
      write(deployment, startLines(deployment.kind));
    });
    later(ahead.active, () => activate(deployment));
  }

  function activate(deployment: DemoDeployment) {
    const { project_id, project_name, environment, id } = deployment.row;
    write(deployment, [activeLine(deployment.kind)]);
    if (deployment.kind === 'job') return become(deployment, { status: 'completed', deployed_at: stamp(), ended_at: stamp() });
    for (const other of deployments)
      if (other.row.is_current && other.row.project_id === project_id && other.row.environment === environment)
        end(other, 'Replaced by a newer deployment');
    const isWeb = deployment.plan?.type === 'web';
    become(deployment, {
      status: 'active',
      is_current: true,
      deployed_at: stamp(),
      url: isWeb ? agentUrl(project_name, environment) : null,
      deployment_url: isWeb ? `http://${id.slice(-12)}.demo.example` : null,
    });
  }

  function become(deployment: DemoDeployment, change: Partial<Deployment>) {
    deployment.row = { ...deployment.row, ...change };
    changed();
  }

  function end(deployment: DemoDeployment, why: string) {
    write(deployment, [{ level: 'info', source: 'platform', message: why }]);
    become(deployment, { status: 'stopped', is_current: false, url: null, deployment_url: null, restarts: 0, ended_at: stamp() });
  }

  function add(row: Deployment, kind: SampleKind): DemoDeployment {
    const deployment: DemoDeployment = { row, kind, plan: null, lines: [], worked: 0 };
    deployments.unshift(deployment);
    write(deployment, queuedLines(row.source_name));
    return deployment;
  }

  for (const { deployment: row, kind, ahead } of sampleDeployments(now).reverse()) {
    const deployment = add(row, kind);
    deployment.lines = [];
    deployment.plan = row.status === 'queued' || row.status === 'building' ? null : planOf(kind);
    writeHistory(deployment, write);
    if (ahead) walk(deployment, ahead);
  }

  return {
    ...databaseWorld(now, changed),
    projects,
    variables,
    keys,
    deployments,
    version: () => version,
    changed,
    add,
    walk,
    end,
    write,
    become,
    isFinal: (deployment: DemoDeployment) => isFinal(deployment.row),

    /** Calls back on every change and every new line, until the signal aborts. */
    watch(tell: () => void, signal: AbortSignal) {
      watchers.add(tell);
      signal.addEventListener('abort', () => watchers.delete(tell), { once: true });
    },

    /** Lets an active agent write while its log is open. */
    keepWriting(deployment: DemoDeployment, signal: AbortSignal) {
      const timer = setInterval(() => {
        if (deployment.row.status === 'active') write(deployment, [workLine(deployment.kind, deployment.worked++)]);
      }, liveLineMs);
      signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
  };
}

/** What a sample has written until now. */
function writeHistory(deployment: DemoDeployment, write: (deployment: DemoDeployment, drafts: readonly Draft[], at?: number) => void) {
  const { row, kind } = deployment;
  const at = (time: string | null) => Date.parse(time ?? row.created_at);
  write(deployment, queuedLines(row.source_name), at(row.created_at));
  if (row.status === 'queued') return;
  const builds = buildLines(kind);
  const isHalf = row.status === 'building' || row.failed_stage === 'building';
  write(deployment, isHalf ? builds.slice(0, Math.floor(builds.length / 2)) : builds, at(row.building_at));
  if (row.deploying_at) write(deployment, startLines(kind), at(row.deploying_at));
  if (row.deployed_at) {
    const started = at(row.deployed_at);
    write(deployment, [activeLine(kind)], started);
    const until = row.ended_at ? at(row.ended_at) : Date.now();
    const count = row.failed_stage === 'active' || kind === 'job' ? 8 : 640;
    for (; deployment.worked < count; deployment.worked += 1)
      write(deployment, [workLine(kind, deployment.worked)], started + ((until - started) * (deployment.worked + 1)) / (count + 1));
  }
  if (row.failed_stage) write(deployment, failureLines(row.failed_stage, row.error_message ?? ''), at(row.ended_at));
  if (row.status === 'stopped')
    write(deployment, [{ level: 'info', source: 'platform', message: 'Replaced by a newer deployment' }], at(row.ended_at));
}

const stamp = () => new Date().toISOString();
