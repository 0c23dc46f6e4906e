import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/test/free-port.ts';
import type { ServiceRunner, ServiceSpec } from '../driver.ts';
import { processDriver, serviceRunner } from '../index.ts';
import { LIMITS, NODE, processesWith, until } from '../test/agents.ts';
import { log } from '../test/sandboxed.ts';
import { thisHost } from './host/host.ts';
import { run } from './host/run.ts';
import { mainProcess } from './proc/members.ts';
import { isAlive } from './proc/processes.ts';
import { readSupervisor, type SandboxRecord, sandboxFolder } from './records/records.ts';

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;
const SERVICE = fileURLToPath(new URL('../fixtures/service.mjs', import.meta.url));
const index = new URL('../index.ts', import.meta.url).href;

for (const unsandboxed of [false, true]) {
  suite(`a service${unsandboxed ? ', unsandboxed' : ''}`, () => {
    let root: string;
    let options: Parameters<typeof serviceRunner>[0];
    let runner: ServiceRunner;
    let outside: Server;
    let user = process.pid % 60_000;

    const folderOf = (id: string) => sandboxFolder(join(options.dataDir, 'services'), id);
    const recordOf = (id: string) => JSON.parse(readFileSync(folderOf(id).record, 'utf8')) as SandboxRecord;
    const stateOf = async (id: string, by = runner) => (await by.list()).find((one) => one.id === id);
    const storeOf = (id: string) => join(root, `store-${id}`);
    const signalsOf = (id: string) => readFileSync(join(storeOf(id), 'signals'), 'utf8');
    const rules = async () =>
      (await run('nft', ['list', 'table', 'inet', `paddock_${thisHost(options).tag}_services`], { accept: [1] })).stdout;

    before(async () => {
      root = mkdtempSync(join(tmpdir(), 'paddock-services-'));
      options = { dataDir: join(root, 'data'), installation: 'test', unsandboxed, log };
      runner = serviceRunner(options);
      outside = createServer((_, response) => response.end('outside')).listen(0, '0.0.0.0');
      await once(outside, 'listening');
    });
    after(async () => {
      for (const { id } of await runner.list()) {
        await runner.stop(id, 0);
        await runner.remove(id);
      }
      await runner.close();
      outside.close();
      outside.closeAllConnections();
      if (isRoot && !unsandboxed) assert.equal(await rules(), '', 'the rules go with the last service');
      assert.deepEqual(readdirSync(join(options.dataDir, 'services')), []);
      rmSync(root, { recursive: true, force: true });
    });

    async function service(change: Partial<ServiceSpec> = {}, behaviour: string[] = []) {
      const own = ++user;
      const id = `s${own}`;
      mkdirSync(storeOf(id), { mode: 0o700 });
      const owner = runner.serviceUser(own);
      if (owner !== undefined) chownSync(storeOf(id), owner, owner);
      const port = await freePort();
      const spec: ServiceSpec = {
        id,
        user: own,
        command: [NODE, '/programs/service.mjs', `${port}`, ...behaviour],
        env: {},
        cwd: '/store',
        limits: LIMITS,
        mounts: [
          { from: dirname(dirname(process.execPath)), at: '/opt/node' },
          { from: dirname(SERVICE), at: '/programs' },
          { from: storeOf(id), at: '/store', writable: true },
        ],
        stop_signal: 'SIGTERM',
        ...change,
      };
      const ask = async (question: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${question}`, { signal: AbortSignal.timeout(10_000) });
        return (await response.json()) as { answer?: unknown; error?: string };
      };
      const answers = () => until('an answer', () => ask('/').catch(() => undefined));
      return { id, port, spec, ask, answers };
    }

    async function running(...given: Parameters<typeof service>) {
      const made = await service(...given);
      await runner.start(made.spec, never);
      await made.answers();
      return made;
    }

    test('answers on the loopback of the machine, and is left alone when it is started again', async () => {
      const { id, spec, ask, answers } = await service();
      const started = await runner.start(spec, never);
      assert.deepEqual([started.id, started.state], [id, 'running']);
      await answers();
      assert.deepEqual(await runner.start(spec, never), started);
      assert.deepEqual(await stateOf(id), started);
      assert.ok((await ask('/')).answer);
      const usage = await runner.usage(id);
      assert.ok(usage.memory_bytes > 4e6 && usage.processes === 1 && usage.cpu_ms > 5, JSON.stringify(usage));
      await runner.stop(id, 5000);
    });

    test('outlives the kill of the server that started it, and another one takes it over and ends it', async () => {
      const { id, spec, ask, answers } = await service();
      const code = `const { serviceRunner } = await import(${JSON.stringify(index)});
        const log = { info() {}, warn() {}, error() {} };
        await serviceRunner({ ...${JSON.stringify({ ...options, log: undefined })}, log }).start(${JSON.stringify(spec)}, new AbortController().signal);
        process.send('started'); setInterval(() => undefined, 1000);`;
      const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
      const server = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: [...stdio] });
      await once(server, 'message');
      server.kill('SIGKILL');
      await once(server, 'exit');
      const next = serviceRunner(options);
      assert.equal((await stateOf(id, next))?.state, 'running');
      await answers();
      await next.stop(id, 5000);
      await next.close();
      assert.deepEqual((await stateOf(id))?.exit?.code, 0);
      await assert.rejects(ask('/'));
    });

    test('starts once, however many starts come at the same time, in one process or several', async () => {
      const { id, spec, answers } = await service();
      const other = serviceRunner(options);
      const services = await Promise.all([runner, other, runner, other].map((each) => each.start(spec, never)));
      assert.equal(new Set(services.map(({ started_at }) => started_at)).size, 1);
      await answers();
      assert.equal(processesWith(spec.command[2] ?? '').filter((pid) => mainProcess(folderOf(id), recordOf(id)) === pid).length, 1);
      await runner.stop(id, 5000);
      await other.close();
    });

    for (const stop_signal of ['SIGTERM', 'SIGINT'] as const)
      test(`gets ${stop_signal} in its first process and nowhere else, and takes with it what it had started`, async () => {
        const token = `token-${process.pid}-${user}-${stop_signal}`;
        const { id, ask } = await running({ stop_signal });
        await ask(`/child?token=${token}`);
        await until('the child', () => processesWith(token).length > 0 || undefined);
        await runner.stop(id, 5000);
        assert.equal(signalsOf(id), `${stop_signal}\n`);
        assert.match(runner.tail(id, 3), new RegExp(`got ${stop_signal}$`));
        const { state, exit } = (await stateOf(id)) ?? {};
        assert.deepEqual([state, exit?.code, exit?.signal, exit?.oom], ['exited', 0, null, false]);
        assert.deepEqual(processesWith(token), []);
      });

    test('that does not end is killed after the grace time, and starts anew under its id', async () => {
      const { id, spec, answers } = await running({}, ['stubborn']);
      const begun = performance.now();
      // Long enough for the process to receive the signal on a busy machine.
      await runner.stop(id, 3000);
      assert.ok(performance.now() - begun >= 3000);
      assert.equal((await stateOf(id))?.exit?.signal, 'SIGKILL');
      assert.equal(signalsOf(id), 'SIGTERM\n');
      const again = await runner.start(spec, never);
      assert.equal(again.state, 'running');
      await answers();
      await assert.rejects(runner.remove(id), /still runs/);
      await runner.stop(id, 0);
      await runner.remove(id);
      assert.equal(await stateOf(id), undefined);
      assert.equal(signalsOf(id), 'SIGTERM\n', 'its mounts stay');
    });

    test('whose main process or supervisor is killed ends as a whole, though nobody looks', async () => {
      for (const victim of ['main', 'supervisor']) {
        // Without a process namespace, only an observation kills the other processes.
        if (unsandboxed && victim === 'supervisor') continue;
        const token = `token-${process.pid}-${user}-${victim}`;
        const { id, ask } = await running();
        await ask(`/child?token=${token}`);
        await until('the child', () => processesWith(token).length > 0 || undefined);
        const pid = victim === 'main' ? mainProcess(folderOf(id), recordOf(id)) : readSupervisor(folderOf(id))?.pid;
        assert.ok(pid);
        process.kill(pid, 'SIGKILL');
        if (!unsandboxed) await until('the end of all, unseen', () => processesWith(token).length === 0 || undefined);
        const exit = await until('the end', async () => (await stateOf(id))?.exit);
        assert.deepEqual(processesWith(token), []);
        assert.deepEqual([exit.code, exit.signal], [null, victim === 'main' ? 'SIGKILL' : null]);
      }
    });

    test('has its output trimmed but for the end', async () => {
      const { id, ask } = await running();
      await ask('/say?lines=10000');
      const { stderr } = folderOf(id);
      await until('the output', () => runner.tail(id, 1).startsWith('line 9999') || undefined);
      const blocks = () => statSync(stderr).blocks * 512;
      assert.ok(blocks() > 1e6);
      await runner.trimOutput(id);
      assert.ok(blocks() < 100_000, `${blocks()}`);
      const last = runner.tail(id, 2).split('\n');
      assert.deepEqual(
        last.map((line) => line.slice(0, 9)),
        ['line 9998', 'line 9999'],
      );
      assert.ok(runner.tail(id, 1_000_000).length < 70_000);
      await runner.stop(id, 5000);
    });

    test('that cannot be set up says why and leaves nothing; unknown ids are no error to stop', async () => {
      const { id, spec } = await service({ cwd: '/nowhere' });
      await runner.start(spec, never).then(
        async () => until('the end', async () => (await stateOf(id))?.state === 'exited' || undefined), // only bwrap can detect it
        () => assert.equal(existsSync(folderOf(id).path), false),
      );
      const mounts = [...spec.mounts, { from: join(root, 'missing'), at: '/x' }];
      await assert.rejects(runner.start({ ...spec, mounts, cwd: '/store', id: `${id}b` }, never), /missing/);
      assert.equal(await stateOf(`${id}b`), undefined);
      await assert.rejects(runner.start({ ...spec, id: `${id}c` }, AbortSignal.abort()), /abort/i);
      assert.equal(existsSync(folderOf(`${id}c`).path), false);
      await runner.stop('no-such-service', 0);
    });

    test('is left alone by a driver for agents, and leaves agents alone', async () => {
      const { id, ask } = await running();
      const agents = { dataDir: join(root, 'agents'), installation: 'test', unsandboxed, log };
      await processDriver(agents).close();
      await serviceRunner(options).close();
      assert.equal((await stateOf(id))?.state, 'running');
      assert.ok((await ask('/')).answer);
      await runner.stop(id, 0);
    });

    if (unsandboxed) return;

    test('sees its mounts and the system, and writes as its own user', async () => {
      const { id, spec, ask } = await running();
      assert.deepEqual((await ask('/files?at=/')).answer, [
        ...['bin', 'dev', 'etc', 'home', ...['lib', 'lib64'].filter((name) => existsSync(`/${name}`)), 'opt', 'proc', 'programs'],
        ...['run', 'sbin', 'store', 'tmp', 'usr', 'var'],
      ]);
      assert.deepEqual((await ask('/write?at=/store/file')).answer, true);
      assert.equal(statSync(join(storeOf(id), 'file')).uid, runner.serviceUser(spec.user) ?? process.getuid?.());
      for (const place of ['/programs/file', '/etc/file', '/file'])
        assert.match(`${(await ask(`/write?at=${place}`)).error}`, /EROFS|EACCES/);
      assert.match(`${(await ask(`/files?at=${root}`)).error}`, /ENOENT/);
      await runner.stop(id, 0);
    });

    test('speaks to no program of the machine by its abstract UNIX socket', async () => {
      const { id, ask } = await running();
      const name = `paddock-test-${id}`;
      const ear = createServer().listen({ path: `\0${name}` });
      await once(ear.unref(), 'listening');
      const mine = connect({ path: `\0${name}` });
      await once(mine, 'connect');
      mine.destroy();
      assert.equal((await ask(`/unix?name=${name}`)).answer, 'EAFNOSUPPORT');
      ear.close();
      await runner.stop(id, 0);
    });

    test('is reached by its user id through folders that are closed to it', { skip: !isRoot && 'only root gives user ids' }, async () => {
      chmodSync(root, 0o700);
      const { id, spec, ask } = await running();
      assert.equal((await ask('/write?at=/store/deep')).answer, true);
      const main = mainProcess(folderOf(id), recordOf(id)) ?? 0;
      assert.match(readFileSync(`/proc/${main}/status`, 'utf8'), new RegExp(`^Uid:\\t${runner.serviceUser(spec.user)}\\t`, 'm'));
      assert.ok(isAlive({ pid: main, start: Number(readFileSync(`/proc/${main}/stat`, 'utf8').split(' ')[21]) }));
      await runner.stop(id, 0);
    });
  });
}
