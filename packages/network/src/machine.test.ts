import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { closedKind } from './closed-networks.ts';
import { machineIdentity, ownAddresses } from './machine.ts';
import { networkList } from './networks.ts';

test('processes of one network stack name the same machine', () => {
  const program = `import { machineIdentity } from ${JSON.stringify(new URL('machine.ts', import.meta.url).href)}; process.stdout.write(machineIdentity());`;
  const other = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(other, machineIdentity());
  assert.notEqual(other, '');
});

test("a machine's own addresses are addresses, each once, without its loopback", () => {
  const own = ownAddresses();
  assert.equal(new Set(own).size, own.length);
  for (const address of own) {
    assert.notEqual(isIP(address), 0, address);
    assert.notEqual(closedKind(address, networkList([])), 'loopback', address);
  }
});
