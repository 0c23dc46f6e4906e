import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inHostWorld } from '../../test/host-world.ts';

const isRoot = process.getuid?.() === 0;

for (const as of ['root', 'user'] as const) {
  suite(`rules about hosts, agents of ${as === 'root' ? 'root' : 'an ordinary user'}`, {
    skip: !isRoot && 'only root makes a machine of its own',
  }, () => {
    test('an agent that may call only some hosts reaches these by name, and no other by name or address', async () => {
      const work = `
        const driver = newDriver();
        const refused = [];
        driver.onRefusedHost(({ host }) => refused.push(host));
        const spec = specOf(['serve'], { hosts: only('good.test', '*.good.test', '203.0.113.10') });
        await driver.start(spec, AbortSignal.timeout(20000));
        const { all } = await calling(driver, spec.id);
        const before = await all('203.0.113.8', '203.0.113.10');
        const said = await all('good.test', '203.0.113.8', 'GOOD.test', 'bad.test', 'bad.test', '203.0.113.9', 'alias.test');
        // The name that is asked for counts, and its answer comes over TCP.
        const other = await all('www.good.test', '203.0.113.9', '203.0.113.11');
        await end(driver, spec.id);
        return { before, said, other, refused, asked: [...new Set(names.asked)] };`;
      assert.deepEqual(await inHostWorld(work, as), {
        before: ['ECONNREFUSED', '203.0.113.10'],
        said: ['203.0.113.8', '203.0.113.8', '203.0.113.8', 'ENOTFOUND', 'ENOTFOUND', 'ECONNREFUSED', 'ENOTFOUND'],
        other: ['203.0.113.9', '203.0.113.9', 'ECONNREFUSED'],
        refused: ['bad.test', 'alias.test'],
        asked: ['good.test', 'www.good.test'],
      });
    });

    test('rules that come, change and go are in force for an agent that runs, and nothing is in its way before and after', async () => {
      const work = `
        const driver = newDriver();
        const spec = specOf(['serve']);
        await driver.start(spec, AbortSignal.timeout(20000));
        const { all } = await calling(driver, spec.id);
        const addresses = ['203.0.113.8', '203.0.113.9'];
        const said = [await all(...addresses)];
        const several = [...only('*.good.test', 'bad.test'), ...only('bad.test')];
        for (const rules of [never('bad.test', '203.0.113.8'), only('good.test'), only('bad.test'), several]) {
          await driver.holdToHosts(spec.id, rules);
          said.push(await all('good.test', 'bad.test', ...addresses));
        }
        await driver.holdToHosts(spec.id, []);
        said.push(await all(...addresses));
        await end(driver, spec.id);
        return said;`;
      assert.deepEqual(await inHostWorld(work, as), [
        ['203.0.113.8', '203.0.113.9'],
        ['ECONNREFUSED', 'ENOTFOUND', 'ECONNREFUSED', '203.0.113.9'],
        ['203.0.113.8', 'ENOTFOUND', '203.0.113.8', 'ECONNREFUSED'],
        ['ENOTFOUND', '203.0.113.9', 'ECONNREFUSED', '203.0.113.9'],
        ['ENOTFOUND', '203.0.113.9', 'ECONNREFUSED', '203.0.113.9'],
        ['203.0.113.8', '203.0.113.9'],
      ]);
    });

    test('a connection that stands is cut when its host is allowed no more, and not by the same rules', async () => {
      const work = `
        const driver = newDriver();
        const spec = specOf(['serve'], { hosts: only('good.test') });
        await driver.start(spec, AbortSignal.timeout(20000));
        const { all } = await calling(driver, spec.id);
        const said = [await all('good.test:81')];
        await driver.holdToHosts(spec.id, only('good.test', 'bad.test'));
        said.push(await all('good.test:81', '203.0.113.8:81', 'bad.test:81'));
        await driver.holdToHosts(spec.id, only('bad.test'));
        said.push(await all('203.0.113.8:81', 'bad.test:81'));
        await end(driver, spec.id);
        return said;`;
      assert.deepEqual(await inHostWorld(work, as), [
        ['203.0.113.8'],
        ['203.0.113.8', '203.0.113.8', '203.0.113.9'],
        ['ECONNRESET', '203.0.113.9'],
      ]);
    });

    test('a program that keeps its socket for names gets no blocked name from before the rules, and a name again after them', async () => {
      // c-ares, which sends its own questions. The name server is at the end of a real link; this machine's own is on its loopback.
      const asking = `
const { Resolver } = require('dns').promises;
const resolver = new Resolver({ timeout: 300, tries: 2 });
resolver.setServers(['203.0.113.8:53']);
const said = () => resolver.resolve4('bad.test').then(([address]) => address, (error) => error.code);
require('http').createServer(async (_, answer) => answer.end(JSON.stringify(await said()))).listen(process.env.PORT);`;
      const work = `
        const driver = newDriver();
        const spec = specOf([], { command: ['/opt/node/bin/node', '-e', ${JSON.stringify(asking)}] });
        await driver.start(spec, AbortSignal.timeout(20000));
        const ask = await reach(driver, spec.id);
        const said = [await ask('/')];
        await driver.holdToHosts(spec.id, never('bad.test'));
        for (let n = 0; n < 3; n++) said.push(await ask('/'));
        await driver.holdToHosts(spec.id, []);
        await until('a name', async () => (await ask('/')) === '203.0.113.9' || undefined);
        await end(driver, spec.id);
        return said;`;
      const [before, ...during] = (await inHostWorld(work, as)) as string[];
      assert.equal(before, '203.0.113.9');
      assert.equal(during.includes('203.0.113.9'), false, during.join());
      assert.equal(during.at(-1), 'ENOTFOUND');
    });

    test('an agent is held to its rules while no server runs and by the next server, and what is open stays open', async () => {
      const work = `
        const first = newDriver();
        const spec = specOf(['serve'], { hosts: only('good.test') });
        await first.start(spec, AbortSignal.timeout(20000));
        const agent = await calling(first, spec.id);
        const said = [await agent.all('good.test', 'bad.test', '203.0.113.9')];
        await first.close();
        said.push(await agent.all('203.0.113.8', '203.0.113.9'));
        const unknown = (await agent.all('good.test'))[0];
        const second = newDriver();
        await until('a name', async () => (await agent.all('good.test'))[0] === '203.0.113.8' || undefined);
        said.push(await agent.all('good.test', 'bad.test', '203.0.113.9'));
        await end(second, spec.id);
        return [...said, unknown === '203.0.113.8'];`;
      assert.deepEqual(await inHostWorld(work, as), [
        ['203.0.113.8', 'ENOTFOUND', 'ECONNREFUSED'],
        ['203.0.113.8', 'ECONNREFUSED'],
        ['203.0.113.8', 'ENOTFOUND', 'ECONNREFUSED'],
        false,
      ]);
    });

    test('an agent that floods the resolver with packets, connections and names keeps no neighbour from its hosts', async () => {
      const flood = `
const { createSocket } = require('dgram'), { connect } = require('net'), { randomBytes } = require('crypto');
const socket = createSocket('udp4');
const name = () => Buffer.concat([Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 12]), Buffer.from(randomBytes(6).toString('hex')), Buffer.from([4, 116, 101, 115, 116, 0, 0, 1, 0, 1])]);
setInterval(() => { for (let n = 0; n < 500; n++) socket.send(n % 2 ? randomBytes(n % 400) : name(), 53, '192.0.2.1', () => 0); }, 10);
setInterval(() => { for (let n = 0; n < 20; n++) connect(53, '192.0.2.1').on('error', () => 0).on('connect', function () { this.write(randomBytes(3)); }); }, 50);
setTimeout(() => process.exit(), 4000);`;
      const work = `
        const driver = newDriver();
        let refused = 0;
        driver.onRefusedHost(() => refused++);
        const [bad, good] = [specOf(['serve'], { hosts: only('*.good.test') }), specOf(['serve'], { hosts: only('good.test') })];
        for (const spec of [bad, good]) await driver.start(spec, AbortSignal.timeout(20000));
        const flooding = (await calling(driver, bad.id)).ask('/sh?command=' + encodeURIComponent('exec /opt/node/bin/node -e ' + JSON.stringify(${JSON.stringify(flood)})));
        const { all } = await calling(driver, good.id);
        const said = new Set();
        for (let n = 0; n < 30; n++) { said.add((await all('good.test'))[0]); await new Promise((done) => setTimeout(done, 100)); }
        await flooding;
        const after = await (await calling(driver, bad.id)).all('www.good.test');
        await end(driver, good.id);
        return { said: [...said], after, refused: refused <= 21 };`;
      assert.deepEqual(await inHostWorld(work, as), { said: ['203.0.113.8'], after: ['203.0.113.9'], refused: true });
    });
  });
}
