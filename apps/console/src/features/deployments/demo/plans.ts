import type { DeploymentDetail, Project } from '@paddock/contract';

type Plan = NonNullable<DeploymentDetail['plan']>;

/** Plans as the builder writes them, one per kind of sample agent. */
export const samplePlans = {
  fastapi: {
    language: 'python',
    version: '3.13',
    framework: 'fastapi',
    type: 'web',
    root: '',
    install: { manager: 'uv', command: ['uv', 'pip', 'install', '-r', 'requirements.txt'] },
    build: null,
    start: ['uvicorn', 'main:app', '--host', '0.0.0.0', '--port', '$PORT'],
    asked_variables: [
      { name: 'OPENAI_API_KEY', required: true, secret: true, at: 'main.py:9' },
      { name: 'TICKETS_URL', required: true, secret: false, at: 'tickets.py:14' },
      { name: 'MODEL', required: false, secret: false, at: 'main.py:10', example: 'gpt-4.1-mini' },
    ],
    choices: [
      { start: 'python replay.py --from tickets.jsonl', because: 'README.md, which runs it' },
      { start: 'gunicorn -k uvicorn.workers.UvicornWorker main:app', because: 'Dockerfile:9 (CMD)' },
      { root: 'tools/labeller', because: 'Python, Streamlit' },
    ],
    reasons: [
      { what: 'language', value: 'python 3.13', because: 'requirements.txt' },
      { what: 'install', value: 'uv pip install -r requirements.txt', because: 'requirements.txt' },
      { what: 'framework', value: 'FastAPI', because: 'requirements.txt names fastapi' },
      { what: 'start', value: 'uvicorn main:app', because: 'main.py assigns app = FastAPI(' },
    ],
    warnings: ['requirements.txt names fastapi without a version. Pin it, so that the next build installs the same.'],
  },
  node: {
    language: 'node',
    version: '24',
    type: 'web',
    root: '',
    install: { manager: 'npm', command: ['npm', 'ci'] },
    build: ['npm', 'run', 'build'],
    start: ['npm', 'start'],
    health: '/health',
    reasons: [
      { what: 'language', value: 'node 24', because: 'package.json: engines.node is >=22' },
      { what: 'install', value: 'npm ci', because: 'package-lock.json' },
      { what: 'build', value: 'npm run build', because: 'package.json: scripts.build' },
      { what: 'start', value: 'npm start', because: 'package.json: scripts.start' },
      { what: 'health', value: '/health', because: 'paddock.yaml, line 3' },
    ],
    warnings: [],
  },
  worker: {
    language: 'python',
    version: '3.12',
    type: 'worker',
    root: '',
    install: { manager: 'uv', command: ['uv', 'sync', '--locked', '--no-dev'] },
    build: null,
    start: ['python', 'worker.py'],
    asked_variables: [{ name: 'ORDERS_URL', required: true, secret: false, at: 'worker.py:6' }],
    reasons: [
      { what: 'language', value: 'python 3.12', because: '.python-version' },
      { what: 'install', value: 'uv sync --locked --no-dev', because: 'uv.lock' },
      { what: 'start', value: 'python worker.py', because: 'Procfile: worker' },
    ],
    warnings: ['The archive contains a .env file. It is not read; set its values as variables of the project.'],
  },
  job: {
    language: 'python',
    version: '3.13',
    type: 'job',
    root: '',
    install: { manager: 'uv', command: ['uv', 'pip', 'install', '-r', 'requirements.txt'] },
    build: null,
    start: ['python', 'run.py'],
    asked_variables: [{ name: 'EVAL_API_KEY', required: true, secret: true, at: '.env.example:1' }],
    reasons: [
      { what: 'language', value: 'python 3.13', because: 'requirements.txt' },
      { what: 'type', value: 'job', because: 'paddock.yaml, line 1' },
      { what: 'start', value: 'python run.py', because: 'run.py' },
    ],
    warnings: [],
  },
} as const satisfies Record<string, DeepReadonly<Plan>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
export type SampleKind = keyof typeof samplePlans;
export const planOf = (kind: SampleKind): Plan => structuredClone(samplePlans[kind]) as unknown as Plan;

/** The plan of a kind with the given folder and start command; the detected ones become choices. */
export function planWith(kind: SampleKind, settings: Project['build_settings'], because: string): Plan {
  const plan = planOf(kind);
  const { root, start, packages } = settings ?? {};
  if (!root && !start && !packages) return plan;
  const before = { start: plan.start.join(' '), because: plan.reasons.find(({ what }) => what === 'start')?.because ?? '' };
  const others = (plan.choices ?? []).filter((choice) => choice.start !== start || choice.root !== root);
  const given = [
    ...(root ? [{ what: 'root', value: root, because }] : []),
    ...(start ? [{ what: 'start', value: start, because }] : []),
    ...(packages ? [{ what: 'packages', value: packages, because }] : []),
  ];
  return {
    ...plan,
    ...(root ? { root } : {}),
    ...(start ? { start: start.split(' ') } : {}),
    choices: root ? [] : [...(start ? [before] : []), ...others],
    reasons: [...plan.reasons.filter(({ what }) => !given.some((one) => one.what === what)), ...given],
  };
}
