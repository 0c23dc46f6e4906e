import type { Choice, Deployment } from '@paddock/contract';
import { dayMs, hourMs, iso, minuteMs } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';
import { agentUrl, type SampleProjectName, sampleProjectId } from '../../projects/demo/samples.ts';
import { planOf, type SampleKind } from './plans.ts';

const second = 1000;

/** A sample deployment, its kind of agent, and, if it is not final, when its next stages begin. */
export interface Sample {
  deployment: Deployment;
  kind: SampleKind;
  /** Alternatives to a deployment whose start command could not be detected. */
  failure_choices?: Choice[];
  /** Milliseconds from now until building, deploying and active; only future stages. */
  ahead?: { building?: number; deploying?: number; active: number };
}

type Row = Partial<Deployment> &
  Pick<Deployment, 'status'> & { of: SampleProjectName; kind: SampleKind; ago: number; took?: number } & Pick<
    Sample,
    'ahead' | 'failure_choices'
  >;

const rows: Row[] = [
  {
    of: 'nightly-eval',
    kind: 'job',
    status: 'queued',
    ago: 20 * second,
    ahead: { building: 70 * second, deploying: 130 * second, active: 140 * second },
  },
  { of: 'invoice-triage', kind: 'worker', status: 'building', ago: 42 * second, ahead: { deploying: 75 * second, active: 90 * second } },
  { of: 'web-scout', kind: 'node', status: 'deploying', environment: 'preview', ago: 95 * second, ahead: { active: 60 * second } },
  {
    of: 'support-router',
    kind: 'fastapi',
    status: 'active',
    database_mode: 'managed',
    ago: 3 * hourMs,
    took: 68 * second,
    is_current: true,
    message: 'Route refunds above $500 to a person',
    commit_sha: '9f3c1e7ab2d84460c1f7e0a95b6d2c8841e7f3a2',
    commit_branch: 'main',
    commit_dirty: false,
  },
  {
    of: 'web-scout',
    kind: 'node',
    status: 'failed',
    ago: 5 * hourMs,
    took: 31 * second,
    failed_stage: 'building',
    error_message:
      'Build failed while running the build command (npm run build): src/agent.ts:3 imports “cheerio”, which is not among the dependencies. Add that package to them and deploy again.',
    failure_choices: [{ packages: 'cheerio', because: 'what failed imports it' }],
  },
  {
    of: 'support-router',
    kind: 'fastapi',
    status: 'active',
    environment: 'preview',
    ago: 9 * hourMs,
    took: 54 * second,
    is_current: true,
    message: 'Try the smaller model for the first turn',
    commit_sha: '41be07d95c2f8a6630e9d7b1c4f5a2380d6e9b71',
    commit_branch: 'smaller-model',
    commit_dirty: true,
    restarts: 4,
    restart_at: null,
  },
  { of: 'web-scout', kind: 'node', status: 'active', database_mode: 'byo', ago: dayMs, took: 47 * second, is_current: true },
  {
    of: 'nightly-eval',
    kind: 'job',
    status: 'completed',
    ago: dayMs + 2 * hourMs,
    took: 22 * second,
    agent_type: 'job',
    error_message:
      'The agent ended with exit code 0, but its output tells of errors. It seems to need the variable EVAL_API_KEY: set it under Variables and redeploy.',
  },
  { of: 'invoice-triage', kind: 'worker', status: 'active', database_mode: 'byo', ago: 2 * dayMs, took: 39 * second, is_current: true },
  {
    of: 'support-router',
    kind: 'fastapi',
    status: 'stopped',
    database_mode: 'managed',
    ago: 4 * dayMs,
    took: 71 * second,
    trigger: 'redeploy',
    message: 'Answer in the language of the ticket',
    commit_sha: 'c07d2f6e18b94a35d7e0f1c2936b8a5d4e7f0219',
    commit_branch: 'main',
    commit_dirty: false,
  },
  {
    of: 'invoice-triage',
    kind: 'worker',
    status: 'failed',
    environment: 'preview',
    ago: 6 * dayMs,
    took: 44 * second,
    failed_stage: 'active',
    error_message:
      'The agent crashed 5 times in 10 minutes and is not restarted any more: the agent ended with exit code 1 before it was ready. It seems to need the variable ORDERS_URL: set it under Variables and redeploy.',
  },
  { of: 'support-router', kind: 'fastapi', status: 'stopped', ago: 11 * dayMs, took: 80 * second },
  {
    of: 'web-scout',
    kind: 'node',
    status: 'failed',
    environment: 'preview',
    ago: 29 * dayMs,
    took: 3 * second,
    failed_stage: 'building',
    error_message:
      'Build failed while finding out what it is: Nothing at the top of the archive says what it is. Folders with an agent of their own: agents/scout (Node), agents/summary (Python, FastAPI). Deploy one of them: name it as Folder in the build settings, as --root, or as “root: agents/scout” in a paddock.yaml.',
    failure_choices: [
      { root: 'agents/scout', because: 'Node' },
      { root: 'agents/summary', because: 'Python, FastAPI' },
    ],
  },
];

/** The oldest sample deployment of support-router, by its number. */
const firstOfRouter = rows.findLastIndex(({ of }) => of === 'support-router') + 1;

export const sampleDeployments = (now: number): Sample[] => rows.map((row, index) => buildSample(row, index + 1, now));

/** Milliseconds from the end of a sample's deployment to the end of its agent. */
function endedAfter({ status, failed_stage }: Partial<Deployment>): number {
  if (status === 'stopped') return 2 * dayMs;
  return failed_stage === 'active' ? 8 * minuteMs : 0;
}

function buildSample({ of, kind, ago, took = 0, ahead, failure_choices, ...given }: Row, number: number, now: number): Sample {
  const created = now - ago;
  const environment = given.environment ?? 'production';
  const isWeb = kind === 'fastapi' || kind === 'node';
  const wasActive = ['active', 'stopped', 'completed'].includes(given.status) || given.failed_stage === 'active';
  const isFinal = ['failed', 'stopped', 'completed'].includes(given.status);
  const hasPlan = given.status !== 'queued' && given.status !== 'building';
  const id = sampleId('dep', number);
  let deployingAt: number | null = null;
  if (given.status === 'deploying') deployingAt = created + 80 * second;
  else if (wasActive) deployingAt = created + took - 6 * second;
  const deployment: Deployment = {
    id,
    project_id: sampleProjectId(of),
    project_name: of,
    environment,
    database_mode: 'none',
    url: isWeb && given.is_current ? agentUrl(of, environment) : null,
    deployment_url: isWeb && given.status === 'active' ? `http://${id.slice(-12)}.demo.example` : null,
    error_message: null,
    failed_stage: null,
    agent_type: hasPlan ? planOf(kind).type : null,
    trigger: 'upload',
    source_name: `${of}.zip`,
    message: null,
    commit_sha: null,
    commit_branch: null,
    commit_dirty: null,
    source_deployment_id: given.trigger === 'redeploy' ? sampleId('dep', firstOfRouter) : null,
    is_current: false,
    restarts: 0,
    restart_at: null,
    variables_at: null,
    created_at: iso(created),
    building_at: given.status === 'queued' ? null : iso(created + 2 * second),
    deploying_at: deployingAt === null ? null : iso(deployingAt),
    deployed_at: wasActive ? iso(created + took) : null,
    ended_at: isFinal ? iso(created + took + endedAfter(given)) : null,
    ...given,
  };
  return { deployment, kind, ...(ahead ? { ahead } : {}), ...(failure_choices ? { failure_choices } : {}) };
}
