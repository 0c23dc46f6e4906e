import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import packet from 'dns-packet';
import { hostIndex } from '../../host-index.ts';
import { allowedAddresses } from './allowed-addresses.ts';
import { openDnsListener } from './dns-listener.ts';
import { questionBounds, questionBudgets } from './questions.ts';
import { createResolver, type DnsClient } from './resolve.ts';

type Budget = ReturnType<ReturnType<typeof questionBudgets>['of']>;

const asking = (budget: Budget): DnsClient => {
  const rules = [{ effect: 'never' as const, hosts: ['bad.test'] }];
  return {
    owner: 'any',
    rules,
    index: hostIndex(rules),
    opened: allowedAddresses(async () => undefined),
    refused: () => undefined,
    inFlight: 0,
    budget,
  };
};

test('a team is refused what it asks beyond its budget, all of its agents together, and then not answered; another team is answered', () => {
  let ms = 0;
  const of = questionBudgets(() => ms);
  const admissions = (owner: string, count: number) =>
    Object.entries(
      Object.groupBy(
        Array.from({ length: count }, () => of.of(owner).admit()),
        (one) => one,
      ),
    ).map(([name, all]) => [name, all.length]);
  const { burst, perSecond } = questionBounds;
  assert.deepEqual(admissions('busy', burst * 3), [
    ['answer', burst],
    ['refuse', burst],
    ['drop', burst],
  ]);
  assert.deepEqual(admissions('quiet', 1), [['answer', 1]]);
  ms = 1_000;
  assert.deepEqual(admissions('busy', perSecond), [['answer', perSecond]]);
});

test('the resolver says REFUSED to an agent whose team asks too much, and answers the agent of another team', async (t) => {
  const of = questionBudgets(() => 0);
  let who = asking(of.of('busy'));
  const resolve = createResolver(() => Promise.resolve({ code: 'NOERROR', answers: [], isTruncated: false }));
  const door = await openDnsListener({ resolve, who: () => who });
  const socket = createSocket('udp4');
  t.after(() => {
    socket.close();
    door.close();
  });
  const code = async () => {
    socket.send(
      packet.encode({ type: 'query', id: 7, questions: [{ name: 'good.test', type: 'A', class: 'IN' }] }),
      door.port,
      '127.0.0.1',
    );
    const [bytes] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
    return (packet.decode(bytes) as packet.DecodedPacket & { rcode: string }).rcode;
  };
  assert.equal(await code(), 'NOERROR');
  while (who.budget.admit() === 'answer') continue;
  assert.equal(await code(), 'REFUSED');
  who = asking(of.of('other'));
  assert.equal(await code(), 'NOERROR');
});
