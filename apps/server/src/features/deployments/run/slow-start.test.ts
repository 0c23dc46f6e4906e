import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../test/platform.ts';

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

async function project(name: string) {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  return { paddock, api, id, host: `${name}.localhost` };
}

/** Sends requests without pause until stopped; counts the responses. */
function visitAll(t: TestContext, paddock: Platform, host: string) {
  const seen = new Map<string, number>();
  let done = false;
  // Stops after a failed test too, or the file would never end.
  t.after(() => {
    done = true;
  });
  const running = (async () => {
    while (!done) {
      const answer = await paddock.visit(host).then(
        ({ status, body }) => (status === 200 ? `200 ${body}` : String(status)),
        (error: Error) => error.message,
      );
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
      await sleep(25);
    }
  })();
  return async () => {
    done = true;
    await running;
    return seen;
  };
}

// Nothing in these sources shows that they listen: the module's name, its calls and the port's name are assembled at run time.
const listens = (text: string) =>
  `const h = require('ht' + 'tp'); h['create' + 'Server']((q, r) => r.end('${text}')).listen(Number(process.env['PO' + 'RT']));`;
// Computing takes a quarter of a processor: five times what an idle worker may use.
const computing = (seconds: number) => `
const spend = (ms) => { for (const end = process.cpuUsage().user + ms * 1000; process.cpuUsage().user < end; ) Math.sqrt(2); };
for (const end = Date.now() + ${seconds * 1000}; Date.now() < end; ) {
  spend(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
}`;
const slowPython = (text: string, seconds: number) => `
import os, time, importlib
end = time.time() + ${seconds}
while time.time() < end:
    used = time.process_time() + 0.05
    while time.process_time() < used:
        sum(range(1000))
    time.sleep(0.15)
server = importlib.import_module("http.ser" + "ver")
class Answer(server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"${text}")
    def log_message(self, *args):
        pass
server = getattr(server, "Threading" + "HTTPServer")(("", int(os.environ["PO" + "RT"])), Answer)
getattr(server, "serve_" + "forever")()
`;

test('a first deployment that computes for long before it listens is web from the beginning: nobody is told that there is nothing', async (t) => {
  const { paddock, api, id, host } = await project('first-slow');
  const made = await deploy(api, id, { 'main.py': slowPython('up', 7) });
  await until('it starts', async () => (await api.deployments.get({ id: made.id })).status === 'deploying');
  const stop = visitAll(t, paddock, host);
  const active = await reaches(api, made.id, ['active']);
  await until('it answers', async () => (await paddock.visit(host)).body === 'up');
  const seen = await stop();
  assert.equal(active.agent_type, 'web');
  assert.deepEqual([...seen.keys()].sort(), ['200 up', '503'], 'first it starts, then it answers');
});

test('a redeploy of an agent that takes long to listen loses no visitor, whether it computes or waits', async (t) => {
  const { paddock, api, id, host } = await project('again-slow');
  const first = await deploy(api, id, { 'server.js': listens('one') });
  await reaches(api, first.id, ['active']);
  const stop = visitAll(t, paddock, host);
  const computes = await deploy(api, id, { 'server.js': `${computing(7)} ${listens('two')}` });
  await reaches(api, computes.id, ['active']);
  await until('the second answers', async () => (await paddock.visit(host)).body === 'two');
  const waits = await deploy(api, id, { 'server.js': `setTimeout(() => { ${listens('three')} }, 7000)` });
  await reaches(api, waits.id, ['active']);
  await until('the third answers', async () => (await paddock.visit(host)).body === 'three');
  const again = await api.deployments.redeploy({ id: waits.id });
  await reaches(api, again.id, ['active']);
  const seen = await stop();
  assert.deepEqual([...seen.keys()].sort(), ['200 one', '200 three', '200 two']);
  const { logs } = await api.logs.list({ id: waits.id });
  assert.ok(
    logs.some(({ message }) => message.includes('is not listening yet') && message.includes('the agent before it')),
    logs.map(({ message }) => message).join('\n'),
  );
});

test('an agent whose environment was web and that never listens fails with what to do, and the one before serves on', async () => {
  const { paddock, api, id, host } = await project('gone-quiet');
  await reaches(api, (await deploy(api, id, { 'server.js': listens('here') })).id, ['active']);
  const quiet = { 'server.js': 'setInterval(() => console.log("tick"), 200)' };
  const failing = await deploy(api, id, { ...quiet, 'paddock.yaml': 'start_budget: 7\n' });
  const failed = await reaches(api, failing.id, ['failed']);
  assert.match(failed.error_message ?? '', /did not listen on any port within 7 s.*"type: worker".*since the agent before it/s);
  assert.equal((await paddock.visit(host)).body, 'here');
  const said = await deploy(api, id, { ...quiet, 'paddock.yaml': 'type: worker\n' });
  assert.equal((await reaches(api, said.id, ['active'])).agent_type, 'worker', 'what the archive says outright counts');
});

test('a worker is active after about five seconds, and one that never rests when its budget is over', async () => {
  const { api, id } = await project('real-worker');
  const begun = performance.now();
  const worker = await deploy(api, id, { 'main.js': 'setInterval(() => console.log("tick"), 200)' });
  assert.equal((await reaches(api, worker.id, ['active'])).agent_type, 'worker');
  assert.ok(performance.now() - begun < 110_000, 'long before the start budget of 120 s');
  const busy = await deploy(
    api,
    id,
    {
      'main.js': computing(600),
      'paddock.yaml': 'start_budget: 13\n',
    },
    { environment: 'preview' },
  );
  assert.equal((await reaches(api, busy.id, ['active'])).agent_type, 'worker');
  const said = async (text: string) => (await api.logs.list({ id: busy.id })).logs.find(({ message }) => message.startsWith(text));
  await until('its log says that it runs', async () => (await said('Running')) !== undefined);
  const at = async (text: string) => Date.parse((await said(text))?.created_at ?? '');
  assert.ok((await at('Running')) - (await at('Starting the agent')) >= 8000, 'it was waited for as long as it computed');
});
