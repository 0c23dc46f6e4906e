import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { InstanceSpec, RuntimeDriver } from './driver.ts';
import { AGENT, exited, loopbackService, processesWith, reach, testApp, until } from './test/agents.ts';

export interface SuiteOptions {
  name: string;
  /** URL of a module whose `createDriver(dataDir)` creates the driver. A child process uses it, too. */
  module: string;
  createDriver(dataDir: string): RuntimeDriver;
}

/** The behaviour that every RuntimeDriver promises. */
export function driverSuite({ name, module, createDriver }: SuiteOptions): void {
  const never = new AbortController().signal;

  suite(`runtime driver ${name}`, () => {
    let root: string;
    let driver: RuntimeDriver;
    let spec: Awaited<ReturnType<typeof testApp>>;
    let dataDir: string;

    before(async () => {
      root = mkdtempSync(join(tmpdir(), 'paddock-runtime-'));
      dataDir = join(root, 'data');
      spec = await testApp(root);
      driver = createDriver(dataDir);
    });
    after(async () => {
      for (const { id } of await driver.list()) {
        await driver.stop(id, 0);
        await driver.remove(id);
      }
      await driver.close();
      rmSync(root, { recursive: true, force: true });
    });

    test('an agent that listens on $PORT answers where expose says', async () => {
      const wanted = spec(['serve']);
      const instance = await driver.start(wanted, never);
      assert.equal(instance.state, 'running');
      const ask = await reach(driver, wanted.id);
      assert.match(JSON.stringify(await ask('/')), /"pid"/);
      await driver.stop(wanted.id, 1000);
      await assert.rejects(ask('/'));
    });

    test('a port other than $PORT is found and reached', async () => {
      const wanted = spec(['serve', '0.0.0.0', '3457']);
      await driver.start(wanted, never);
      const ask = await reach(driver, wanted.id);
      assert.ok(await ask('/'));
      assert.deepEqual(await driver.listening(wanted.id), [{ port: 3457, family: 4, loopback_only: false }]);
      await driver.stop(wanted.id, 0);
    });

    test('a port bound to 127.0.0.1 is reached all the same, and told apart', async () => {
      const wanted = spec(['serve', '127.0.0.1', '3458']);
      await driver.start(wanted, never);
      const ask = await reach(driver, wanted.id);
      assert.ok(await ask('/'));
      assert.deepEqual(await driver.listening(wanted.id), [{ port: 3458, family: 4, loopback_only: true }]);
      await driver.stop(wanted.id, 0);
    });

    test('an agent that listens on $PORT answers at the address of direct, if there is one, without expose', async () => {
      const wanted = spec(['serve']);
      await driver.start(wanted, never);
      const at = driver.direct(wanted.id) ?? (await until('expose', async () => exposedPort(driver, wanted.id)));
      const answer = await until('an answer', () => fetch(`http://${at.host}:${at.port}/`).catch(() => undefined));
      assert.equal(answer.status, 200);
      assert.deepEqual(await exposedPort(driver, wanted.id), at);
      await driver.stop(wanted.id, 0);
    });

    test("an instance finds the services it was given at its own 127.0.0.1, and no other port of the machine, nor another's services", async () => {
      const services = await Promise.all(['first', 'second', 'nobody'].map((name) => loopbackService(name)));
      const given = services.slice(0, 2).map(({ port }) => spec(['serve'], { services: [{ port }] }));
      for (const [index, wanted] of given.entries()) {
        await driver.start(wanted, never);
        const ask = await reach(driver, wanted.id);
        const said = await Promise.all(services.map(({ port }) => ask(`/ask?host=127.0.0.1&port=${port}`)));
        const reached = said.map((text) => text === 'first' || text === 'second' || text === 'nobody');
        assert.deepEqual(
          [said[index], ...reached],
          [['first', 'second'][index], ...services.map((_, at) => !driver.isolated || at === index)],
        );
        const open = await driver.listening(wanted.id);
        assert.ok(open.length === 1 && !services.some(({ port }) => port === open[0]?.port), JSON.stringify(open));
      }
      for (const { id } of given) await driver.stop(id, 0);
      for (const service of services) service.close();
    });

    test('an instance finds a service at its usual port, too, and another instance finds another one there', async (t) => {
      if (!driver.isolated) return t.skip('without isolation the port is the machine’s');
      const services = await Promise.all(['first', 'second', 'third'].map((name) => loopbackService(name)));
      const given = services.map(({ port }, at) => spec(['serve'], { services: [at < 2 ? { port, usual_port: 5432 } : { port }] }));
      const said: unknown[] = [];
      for (const wanted of given) {
        await driver.start(wanted, never);
        said.push(await (await reach(driver, wanted.id))('/ask?host=127.0.0.1&port=5432'));
      }
      assert.deepEqual([...said.slice(0, 2), said[2] === 'third'], ['first', 'second', false]);
      for (const { id } of given) await driver.stop(id, 0);
      for (const service of services) service.close();
    });

    test('an agent that listens on nothing has no ports', async () => {
      const wanted = spec(['quiet']);
      await driver.start(wanted, never);
      assert.deepEqual(await driver.listening(wanted.id), []);
      await driver.stop(wanted.id, 0);
      assert.deepEqual(await driver.listening(wanted.id), []);
    });

    test('both outputs are on disk, whole and apart, when the exit is reported', async () => {
      const wanted = spec(['exit', '3']);
      await driver.start(wanted, never);
      const exit = await exited(driver, wanted.id);
      assert.deepEqual([exit.code, exit.signal, exit.oom, exit.disk_full], [3, null, false, false]);
      const files = driver.output(wanted.id);
      assert.equal(readFileSync(files.stdout, 'utf8'), 'out\n');
      assert.equal(readFileSync(files.stderr, 'utf8'), 'err\n');
      const many = spec(['write', '20000']);
      await driver.start(many, never);
      await exited(driver, many.id);
      const lines = readFileSync(driver.output(many.id).stdout, 'utf8').trimEnd().split('\n');
      assert.deepEqual([lines.length, lines.at(-1)], [20_000, 'line 19999']);
    });

    test('output that was read can be given back to the disk without moving what follows', async () => {
      const wanted = spec(['write', '50000']);
      await driver.start(wanted, never);
      await exited(driver, wanted.id);
      const { stdout } = driver.output(wanted.id);
      const before = statSync(stdout);
      const content = readFileSync(stdout);
      await driver.releaseOutput(wanted.id, { stdout: 400_000, stderr: 0 });
      const later = statSync(stdout);
      assert.equal(later.size, before.size);
      assert.ok(later.blocks < before.blocks - 600);
      assert.deepEqual(readFileSync(stdout).subarray(400_000), content.subarray(400_000));
    });

    test('stop lets an agent finish what it does on SIGTERM', async () => {
      const wanted = spec(['polite']);
      await driver.start(wanted, never);
      await reach(driver, wanted.id);
      await driver.stop(wanted.id, 5000);
      const exit = await exited(driver, wanted.id);
      assert.deepEqual([exit.code, exit.signal], [0, null]);
      assert.match(readFileSync(driver.output(wanted.id).stdout, 'utf8'), /finishing/);
    });

    test('an agent that ignores SIGTERM is killed after the grace time', async () => {
      const wanted = spec(['stubborn']);
      await driver.start(wanted, never);
      await reach(driver, wanted.id);
      const begun = performance.now();
      // Long enough for the process to receive the signal on a busy machine.
      await driver.stop(wanted.id, 3000);
      assert.ok(performance.now() - begun >= 3000);
      const exit = await exited(driver, wanted.id);
      assert.equal(exit.signal, 'SIGKILL');
      assert.match(readFileSync(driver.output(wanted.id).stdout, 'utf8'), /ignored/);
    });

    test('nothing that an agent leaves running in the background survives its stop', async () => {
      const token = `token-${process.pid}-${Date.now()}`;
      const wanted = spec(['spawner', token]);
      await driver.start(wanted, never);
      await until('the background process', () => processesWith(token).length > 1 || undefined);
      await driver.stop(wanted.id, 200);
      assert.deepEqual(processesWith(token), []);
    });

    test('many starts of one id, in one process or several, make one instance', async () => {
      const token = `token-${process.pid}-${Date.now()}`;
      const wanted = spec(['spawner', token]);
      const other = createDriver(dataDir);
      const instances = await Promise.all([driver, other, driver, other].map((each) => each.start(wanted, never)));
      assert.equal(new Set(instances.map((instance) => instance.started_at)).size, 1);
      assert.equal((await driver.list()).filter((instance) => instance.id === wanted.id).length, 1);
      await driver.stop(wanted.id, 0);
      const again = await other.start(wanted, never);
      assert.equal(again.state, 'exited');
      await other.close();
    });

    test('stopping what has stopped, or never was, is no error', async () => {
      const wanted = spec(['exit', '0']);
      await driver.start(wanted, never);
      await driver.stop(wanted.id, 0);
      await driver.stop(wanted.id, 0);
      await driver.stop('no-such-instance', 0);
    });

    test('remove refuses a running instance and forgets an exited one', async () => {
      const wanted = spec(['serve']);
      await driver.start(wanted, never);
      await assert.rejects(driver.remove(wanted.id), /runs/);
      await driver.stop(wanted.id, 0);
      await driver.remove(wanted.id);
      assert.equal(
        (await driver.list()).some((instance) => instance.id === wanted.id),
        false,
      );
      await driver.remove(wanted.id);
    });

    test('an agent may change its /app, and the artifact stays as it was', async () => {
      const wanted = spec(['serve']);
      await driver.start(wanted, never);
      const ask = await reach(driver, wanted.id);
      await ask('/write?file=agent.mjs');
      await ask('/write?file=new');
      assert.deepEqual(readdirSync(wanted.app_dir), ['agent.mjs']);
      assert.deepEqual(readFileSync(join(wanted.app_dir, 'agent.mjs')), readFileSync(AGENT));
      await driver.stop(wanted.id, 0);
    });

    test('usage tells processor time, memory, processes and disk', async () => {
      const wanted = spec(['serve']);
      await driver.start(wanted, never);
      await reach(driver, wanted.id);
      const usage = await driver.usage(wanted.id);
      assert.ok(usage.cpu_ms > 5 && usage.cpu_ms < 10_000, `cpu ${usage.cpu_ms}`);
      assert.ok(usage.memory_bytes > 4e6 && usage.memory_bytes < 200e6, `memory ${usage.memory_bytes}`);
      assert.equal(usage.processes, 1);
      assert.ok(usage.disk_bytes >= 4096 && usage.disk_bytes < 1e6, `disk ${usage.disk_bytes}`);
      await driver.stop(wanted.id, 0);
    });

    test('a start that fails says why and leaves nothing', async () => {
      const wanted = spec(['serve'], { app_dir: join(root, 'missing') });
      await assert.rejects(driver.start(wanted, never), /missing/);
      assert.equal(
        (await driver.list()).some((instance) => instance.id === wanted.id),
        false,
      );
    });

    test('an aborted start does not begin', async () => {
      const wanted = spec(['serve']);
      await assert.rejects(driver.start(wanted, AbortSignal.abort()), /abort/i);
      assert.equal(
        (await driver.list()).some((instance) => instance.id === wanted.id),
        false,
      );
    });

    test('a value of the environment cannot go on as arguments of what sets up the sandbox', async () => {
      const env = { A: 'x\0--ro-bind\0/\0/host' };
      await assert.rejects(driver.start(spec(['serve'], { env }), never));
    });

    test('an id that is a path is refused', async () => {
      await assert.rejects(driver.start(spec(['serve'], { id: '../x' }), never), /cannot be the id/);
    });

    test('an agent outlives the kill of the server that started it, and a new server takes it over', async () => {
      const service = await loopbackService('the service');
      const wanted = spec(['polite'], { services: [{ port: service.port }] });
      const server = startServer(module, dataDir, wanted);
      await once(server, 'message');
      server.kill('SIGKILL');
      await once(server, 'exit');
      const ask = await reach(driver, wanted.id);
      assert.ok(await ask('/'));
      assert.equal(await ask(`/ask?host=127.0.0.1&port=${service.port}`), 'the service');
      service.close();
      assert.equal((await driver.list()).find((instance) => instance.id === wanted.id)?.state, 'running');
      assert.ok((await driver.usage(wanted.id)).memory_bytes > 1e6);
      await driver.stop(wanted.id, 5000);
      const exit = await exited(driver, wanted.id);
      assert.equal(exit.code, 0);
    });
  });
}

async function exposedPort(driver: RuntimeDriver, id: string) {
  const [first] = await driver.listening(id);
  return first && driver.expose(id, first.port);
}

function startServer(module: string, dataDir: string, wanted: InstanceSpec): ChildProcess {
  const code = `
    const { createDriver } = await import(${JSON.stringify(module)});
    await createDriver(${JSON.stringify(dataDir)}).start(${JSON.stringify(wanted)}, new AbortController().signal);
    process.send('started');
    setInterval(() => undefined, 1000);
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
