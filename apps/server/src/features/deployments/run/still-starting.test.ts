import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../test/platform.ts';

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined, { PADDOCK_TRIAL_S: '30' }));

async function project(name: string) {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  const said = async (deployment: string) => (await api.logs.list({ id: deployment })).logs.map(({ message }) => message);
  return { paddock, api, id, said };
}
type Project = Awaited<ReturnType<typeof project>>;

const worker = { Procfile: 'worker: python main.py\n' };
/** Never idle: uses a quarter of a processor, five times what an idle worker may use. */
const computing = (seconds: number) => `import time
end = time.time() + ${seconds}
while time.time() < end:
    used = time.process_time() + 0.05
    while time.process_time() < used:
        sum(range(1000))
    time.sleep(0.15)
`;

// Each one is busy for longer than the 5 s that a worker has to be silent, and then fails. All but the first use almost no processor time.
const failing: [what: string, files: Record<string, string>, error: RegExp][] = [
  ['computes', { ...worker, 'main.py': `${computing(7)}from json import nothing\n` }, /It cannot import name 'nothing' from 'json'/],
  [
    'reads many files',
    {
      'main.py': `import time
for at in range(400):
    with open(f'part-{at}', 'wb') as part:
        part.write(bytes(8000))
for again in range(350):
    with open(f'part-{again % 400}', 'rb') as part:
        part.read()
    time.sleep(0.02)
raise ImportError('a part is broken')
`,
    },
    /says “ImportError: a part is broken”/,
  ],
  [
    'starts one program after the other',
    {
      'paddock.yaml': 'start: sh start.sh\n',
      'start.sh': 'for step in 1 2 3 4 5 6 7; do sleep 1; done\necho "error: no step 8"\nexit 4\n',
    },
    /exit code 4 before it was ready; its output says “error: no step 8”/,
  ],
  [
    'looks a name up',
    {
      ...worker,
      'main.py': `import socket
asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asked.connect(('127.0.0.1', 53))
asked.settimeout(7)
try:
    asked.recv(1)
except OSError:
    raise SystemError('nobody knows the name')
`,
    },
    /says “SystemError: nobody knows the name”/,
  ],
];
/** Started together, since they mostly wait. Each test checks one of them. */
let starting: Promise<(Project & { made: string })[]> | undefined;
const startAll = async () => {
  const all: (Project & { made: string })[] = [];
  for (const [what, files] of failing) {
    const own = await project(`fails-${what.split(' ')[0]}`);
    all.push({ ...own, made: (await deploy(own.api, own.id, files)).id });
  }
  return all;
};

for (const [index, [what, , error]] of failing.entries())
  test(`an agent that ${what} for seven seconds and then fails never was active, and its message has the error`, async () => {
    starting ??= startAll();
    const { api, said, made } = (await starting)[index]!;
    const failed = await reaches(api, made, ['failed']);
    assert.match(failed.error_message ?? '', /^Start failed: the agent ended with exit code \d before it was ready/);
    assert.match(failed.error_message ?? '', error);
    assert.ok(!(await said(made)).includes('Running'), 'it was not called ready');
  });

test('a worker that never rests becomes active all the same, and its log says until when it is waited for', async () => {
  const { api, id, said } = await project('busy');
  const made = await deploy(api, id, { ...worker, 'main.py': computing(600), 'paddock.yaml': 'start_budget: 24\n' });
  assert.equal((await reaches(api, made.id, ['active'])).agent_type, 'worker');
  await until('its log says that it runs', async () => (await said(made.id)).includes('Running'));
  const lines = await said(made.id);
  const told = lines.findIndex((line) => /^The agent still starts: .* as a worker after 12 s at the latest\.$/.test(line));
  assert.ok(told !== -1 && told < lines.indexOf('Running'), lines.join('\n'));
});

test('a worker that crashes some seconds after it was active has failed to start, and the worker before it works on', async () => {
  const { api, id, said } = await project('worker-again');
  const runs = (does: string) => ({ ...worker, 'main.py': `import time\n${does}` });
  const first = await deploy(api, id, runs("while True:\n    print('tick', flush=True)\n    time.sleep(1)\n"));
  await reaches(api, first.id, ['active']);
  const second = await deploy(api, id, runs("time.sleep(12)\nraise ValueError('no work for me')\n"));
  assert.equal((await reaches(api, second.id, ['active'])).agent_type, 'worker', 'it rested, so it was ready');
  await until('the first is active again', async () => (await api.deployments.get({ id: first.id })).status === 'active');
  const failed = await api.deployments.get({ id: second.id });
  assert.deepEqual([failed.status, failed.failed_stage, failed.restarts], ['failed', 'deploying', 0]);
  assert.match(failed.error_message ?? '', /^Start failed: the agent exited with code 1; its output says “ValueError: no work for me”\./);
  await until('its log says so', async () => (await said(second.id)).includes('The deployment before it serves again'));
  const ticks = async () => (await said(first.id)).filter((line) => line === 'tick').length;
  const before = await ticks();
  await until('the first works on', async () => (await ticks()) > before + 1);
});
