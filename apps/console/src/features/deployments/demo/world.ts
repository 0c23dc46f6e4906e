import type { Choice, Deployment, DeploymentDetail, LogLine, Project } from '@paddock/contract';
import { agentUrl } from '../../projects/demo/samples.ts';
import { traceLines } from '../../traces/demo/samples.ts';
import { activeLine, buildLines, type Draft, failureLines, queuedLines, startLines, unpackedLines, workLine } from './log-lines.ts';
import { planOf, planWith, type SampleKind } from './plans.ts';
import { type Sample, sampleDeployments } from './samples.ts';

export interface DemoDeployment {
  row: Deployment;
  kind: SampleKind;
  plan: DeploymentDetail['plan'];
  failure_choices: Choice[] | null;
  /** The given folder and start command, and their source. */
  given?: { settings: Project['build_settings']; because: string };
  lines: LogLine[];
  /** Agent lines written so far. */
  worked: number;
}

type Ahead = NonNullable<Sample['ahead']>;

const liveLineMs = 1400;
const restartMs = 2500;
/** The capacity of the viewer; the demo drops older lines. */
const maxLines = 50_000;
const replaced: Draft = { level: 'info', source: 'platform', message: 'Replaced by a newer deployment' };

/** The demo's deployments and their clock: deployments go through their stages, and agents write while their log is open. */
export function deploymentWorld(now: number, { changed, wrote }: { changed: () => void; wrote: () => void }) {
  const deployments: DemoDeployment[] = [];

  function write(deployment: DemoDeployment, drafts: readonly Draft[]) {
    append(deployment, drafts, Date.now());
    wrote();
  }

  /** Schedules the future stages, each after its milliseconds. A deployment stopped or cancelled meanwhile is not changed. */
  function walk(deployment: DemoDeployment, ahead: Ahead) {
    const later = (ms: number | undefined, act: () => void) => {
      if (ms !== undefined) setTimeout(() => !isFinal(deployment) && deployments.includes(deployment) && act(), ms);
    };
    later(ahead.building, () => become(deployment, { status: 'building', building_at: stamp() }));
    for (const { ms, draft } of buildLinesAhead(deployment, ahead)) later(ms, () => write(deployment, [draft]));
    later(ahead.deploying, () => {
      const { kind, given } = deployment;
      const plan = given ? planWith(kind, given.settings, given.because) : planOf(kind);
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
        end(other, replaced.message);
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

  /** The process serves until the new one is ready. */
  function restart(deployment: DemoDeployment) {
    write(deployment, [{ level: 'info', source: 'platform', message: 'Restarting the agent' }]);
    become(deployment, { restart_at: stamp() });
    setTimeout(() => {
      if (deployment.row.status !== 'active') return;
      write(deployment, [...startLines(deployment.kind), activeLine(deployment.kind)]);
      become(deployment, { restart_at: null, variables_at: stamp() });
    }, restartMs);
  }

  function add(row: Deployment, kind: SampleKind): DemoDeployment {
    const deployment: DemoDeployment = { row, kind, plan: null, failure_choices: null, lines: [], worked: 0 };
    deployments.unshift(deployment);
    write(deployment, queuedLines(row.source_name));
    return deployment;
  }

  for (const sample of sampleDeployments(now).reverse()) {
    const deployment = withHistory(sample);
    deployments.unshift(deployment);
    if (sample.ahead) walk(deployment, sample.ahead);
  }

  return {
    deployments,
    add,
    walk,
    end,
    restart,
    isFinal,

    /** Makes an active agent write while its log is open. */
    keepWriting(deployment: DemoDeployment, signal: AbortSignal) {
      const timer = setInterval(() => {
        if (deployment.row.status === 'active') write(deployment, [workLine(deployment.kind, deployment.worked++)]);
      }, liveLineMs);
      signal.addEventListener('abort', () => clearInterval(timer), { once: true });
    },
  };
}

const isFinal = ({ row: { status } }: DemoDeployment) => status === 'failed' || status === 'stopped' || status === 'completed';

function append(deployment: DemoDeployment, drafts: readonly Draft[], at: number) {
  const { lines, row } = deployment;
  for (const draft of drafts) {
    const number = (lines.at(-1)?.number ?? 0) + 1;
    lines.push({ id: `log_${number}_${row.id.slice(-6)}`, number, ...draft, created_at: new Date(at).toISOString() });
  }
  if (lines.length > maxLines) lines.splice(0, lines.length - maxLines);
}

/** The remaining build lines, each with its milliseconds from now, spread evenly until the agent starts. */
function buildLinesAhead({ kind, row }: DemoDeployment, { building: from = 0, deploying }: Ahead): { ms: number; draft: Draft }[] {
  if (deploying === undefined) return [];
  const builds = buildLines(kind);
  const spread = (deploying - from) / (builds.length + 1);
  const written = row.status === 'queued' ? 0 : Math.floor(builds.length / 2);
  return builds.slice(written).map((draft, index) => ({ ms: from + spread * (index + 1), draft }));
}

/** A sample with its log up to now. */
function withHistory({ deployment: row, kind, failure_choices: choices }: Sample): DemoDeployment {
  const isUndecided = choices?.some(({ packages }) => packages === undefined) === true;
  const isUnplanned = row.status === 'queued' || row.status === 'building' || isUndecided;
  const deployment: DemoDeployment = {
    row,
    kind,
    plan: isUnplanned ? null : planOf(kind),
    failure_choices: choices ?? null,
    lines: [],
    worked: 0,
  };
  const at = (time: string | null) => Date.parse(time ?? row.created_at);
  append(deployment, queuedLines(row.source_name), at(row.created_at));
  if (row.status === 'queued') return deployment;
  if (isUndecided) {
    append(deployment, [...unpackedLines, { level: 'error', source: 'platform', message: row.error_message ?? '' }], at(row.ended_at));
    return deployment;
  }
  const builds = buildLines(kind);
  const isHalf = row.status === 'building' || row.failed_stage === 'building';
  append(deployment, isHalf ? builds.slice(0, Math.floor(builds.length / 2)) : builds, at(row.building_at));
  if (row.deploying_at) append(deployment, startLines(kind), at(row.deploying_at));
  if (row.deployed_at) {
    const started = at(row.deployed_at);
    append(deployment, [activeLine(kind)], started);
    const until = row.ended_at ? at(row.ended_at) : Date.now();
    const count = row.failed_stage === 'active' || kind === 'job' ? 8 : 640;
    const written = traceLines(row, until);
    for (; deployment.worked < count; deployment.worked += 1)
      written.push({ at: started + ((until - started) * (deployment.worked + 1)) / (count + 1), draft: workLine(kind, deployment.worked) });
    for (const { at: then, draft } of written.toSorted((a, b) => a.at - b.at)) append(deployment, [draft], then);
  }
  if (row.failed_stage) append(deployment, failureLines(row.failed_stage, row.error_message ?? ''), at(row.ended_at));
  if (row.status === 'stopped') append(deployment, [replaced], at(row.ended_at));
  return deployment;
}

const stamp = () => new Date().toISOString();
