import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { never, openBench } from '../../test/bench.ts';
import { processDatabaseDriver } from '../driver.ts';
import { redisAvailability, serverProgram, serverPrograms } from './binary.ts';

suite('the program of Redis', () => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'paddock-redis-programs-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  /** A folder with programs that only print a version. */
  function folder(name: string, programs: Record<string, string>): string {
    mkdirSync(join(root, name));
    for (const [program, says] of Object.entries(programs)) {
      writeFileSync(join(root, name, program), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
    }
    return join(root, name);
  }
  const redis = (version: string) => `Redis server v=${version} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0`;
  const valkey = (version: string) => `Valkey server v=${version} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0`;

  test('if it is missing, the answer is the command that installs it', async () => {
    const answer = await redisAvailability(folder('none', { 'redis-cli': 'redis-cli 7.0.15' }));
    assert.ok(!answer.ok);
    assert.equal(answer.reason, 'Neither redis-server nor valkey-server is installed on this machine.');
    assert.match(answer.remedy, /`apt-get install redis-server`.*`brew install redis`/);
    await assert.rejects(serverProgram(join(root, 'none')), /apt-get install redis-server/);
    const driver = processDatabaseDriver({
      dataDir: join(root, 'data'),
      installation: 'test',
      path: join(root, 'none'),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    assert.deepEqual(await driver.available('redis'), answer);
    await driver.close();
  });

  test('is named with its version if it is too old', async () => {
    const answer = await redisAvailability(folder('old', { 'redis-server': redis('6.2.14') }));
    assert.ok(!answer.ok);
    assert.equal(answer.reason, 'The redis-server of this machine is version 6.2.14; managed Redis needs 7.0 or newer.');
  });

  test('is the newest of several, whatever its name, and of equal versions the first on PATH', async () => {
    const first = folder('first', { 'redis-server': redis('7.0.15'), 'valkey-server': valkey('9.1.2') });
    const second = folder('second', { 'redis-server': redis('7.0.15'), 'valkey-server': valkey('10.0.0') });
    const programs = await serverPrograms(`${first}:${second}:relative:`);
    assert.deepEqual(
      programs.map(({ path }) => path.slice(root.length + 1)),
      ['second/valkey-server', 'first/valkey-server', 'first/redis-server', 'second/redis-server'],
    );
    assert.deepEqual(await redisAvailability(`${first}:${second}`), { ok: true, version: '10.0.0' });
  });

  test('data stays with the kind of server that wrote it while there is one', async () => {
    const path = folder('both', { 'redis-server': redis('7.0.15'), 'valkey-server': valkey('9.1.2') });
    assert.equal((await serverProgram(path, 'redis')).kind, 'redis');
    assert.equal((await serverProgram(path, 'valkey')).kind, 'valkey');
    assert.equal((await serverProgram(join(root, 'second'), 'redis')).version, '7.0.15');
    const valkeyOnly = folder('valkey-only', { 'redis-server': valkey('9.1.2') });
    assert.equal((await serverProgram(valkeyOnly, 'redis')).kind, 'valkey', 'by what it says, not by its name');
  });

  test('a program that hangs, fails or is not Redis is ignored', async () => {
    const path = folder('broken', { 'redis-server': 'no server', 'valkey-server': '' });
    writeFileSync(join(path, 'valkey-server'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    assert.deepEqual(await serverPrograms(path), []);
  });

  test('a server starts from a folder outside of /usr, also through a link', async () => {
    const [own] = await serverPrograms(process.env['PATH'] ?? '');
    assert.ok(own, 'these tests need redis-server or valkey-server');
    const name = own.path.slice(own.path.lastIndexOf('/') + 1);
    for (const place of ['kept', 'linked']) mkdirSync(join(root, place));
    copyFileSync(realpathSync(own.path), join(root, 'kept', name));
    symlinkSync(`../kept/${name}`, join(root, 'linked', name));
    const bench = openBench({
      type: 'redis',
      module: '',
      createDriver: (dataDir) =>
        processDatabaseDriver({
          dataDir,
          installation: 'test',
          path: join(root, 'linked'),
          log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        }),
    });
    try {
      const address = await bench.driver.start(bench.spec('outside'), never);
      assert.equal(address.version, own.version);
      await bench.use('outside', address, (client) => client.put('written', 'there'));
    } finally {
      await bench.close();
    }
  });
});
