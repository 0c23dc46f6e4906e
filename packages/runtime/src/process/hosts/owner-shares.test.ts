import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { hostIndex } from '../../host-index.ts';
import { allowedAddresses } from './allowed-addresses.ts';
import { openDnsListener } from './dns-listener.ts';
import { type DnsQuestion, readAnswer, writeQuestion } from './dns-message.ts';
import { framed } from './frames.ts';
import { createResolver, type DnsClient } from './resolve.ts';

const question: DnsQuestion = { id: 7, name: 'a.test', type: 'A', room: 512 };
const said = { code: 'NOERROR', answers: [], isTruncated: false };
const rules = [{ effect: 'never' as const, hosts: ['b.test'] }];
const sandbox = (owner: string): DnsClient => ({
  owner,
  rules,
  index: hostIndex(rules),
  budget: { admit: () => 'answer' },
  opened: allowedAddresses(async () => undefined),
  refused: () => undefined,
  inFlight: 0,
});

test('sandboxes of one owner that ask all they may at once keep no sandbox of another owner from its answer', async () => {
  const slow = Promise.withResolvers<typeof said>();
  let asked = 0;
  const resolve = createResolver(() => {
    asked += 1;
    return slow.promise;
  });
  const greedy = Array.from({ length: 20 }, () => sandbox('greedy'));
  const answers = greedy.flatMap((by) => Array.from({ length: 64 }, () => resolve(by, question, 'udp')));
  const before = asked;
  const neighbour = resolve(sandbox('neighbour'), question, 'udp');
  assert.equal(asked, before + 1);
  slow.resolve(said);
  assert.equal((await neighbour).code, 'NOERROR');
  const codes = (await Promise.all(answers)).map(({ code }) => code);
  assert.ok(codes.includes('SERVFAIL'), 'the owner asked more than it may at once');
  assert.equal((await resolve(greedy[0]!, question, 'udp')).code, 'NOERROR', 'places are given back');
});

test('sandboxes of one owner that hold all connections they may keep no sandbox of another owner from asking over TCP', async () => {
  const resolve = createResolver(async () => said);
  // Each loopback address is a sandbox; the last one is the neighbour's.
  const sandboxes = Array.from({ length: 41 }, (_, n) => sandbox(n === 40 ? 'neighbour' : 'greedy'));
  const door = await openDnsListener({ resolve, who: (address) => sandboxes[Number(address.split('.').at(-1)) - 10] });
  const sockets: Socket[] = [];
  /** Opens a connection from the sandbox and sends a question. Returns whether it was answered. */
  async function ask(n: number): Promise<boolean> {
    const socket = connect({ port: door.port, host: '127.0.0.1', localAddress: `127.0.0.${n + 10}` }).on('error', () => undefined);
    sockets.push(socket);
    const signal = AbortSignal.timeout(5_000);
    socket.write(framed(writeQuestion(question, question.id)));
    const [bytes] = await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]);
    return Buffer.isBuffer(bytes) && readAnswer(bytes.subarray(2), question) !== undefined;
  }
  try {
    let answered = 0;
    for (let n = 0; n < 40; n++) for (let m = 0; m < 8; m++) answered += Number(await ask(n));
    assert.ok(answered >= 100 && answered < 320, `${answered} connections of one owner`);
    assert.equal(await ask(40), true);
  } finally {
    for (const socket of sockets) socket.destroy();
    door.close();
  }
});
