import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachineWithHosts } from '../../test/agent-hosts/machine.ts';

const isRoot = process.getuid?.() === 0;
/** Results of the agent's connections to good.test, bad.test, and the address of bad.test. */
const [open, held, blocked] = [
  ['203.0.113.8', '203.0.113.9', '203.0.113.9'],
  ['203.0.113.8', 'ENOTFOUND', 'ECONNREFUSED'],
  ['203.0.113.8', 'ENOTFOUND', '203.0.113.9'],
];

interface Told {
  ids: { project: string; deployments: string[] };
  before: string[];
  held: string[][];
  told: string[];
  passed: { status: string; finding: string };
  whileAway: [string, string, boolean];
  afterRestart: string[];
  fromTheStart: string[];
  archived: string[];
  failed: { status: string; finding: string };
  blocked: string[];
  enforced: { policy: string; rule: string; deployment_id: string; host: string }[];
}

test('agents are held to the hosts of active policies while they run, over a kill of the server and from their start, and to none of archived ones', {
  skip: !isRoot && 'only root makes a machine of its own',
}, async () => {
  const story = (await onMachineWithHosts(join(import.meta.dirname, '../../test/agent-hosts/story.ts'))) as Told;
  assert.deepEqual(story.before, open);
  assert.deepEqual(story.held, [held, held]);
  // Reported at most once a minute, although the agent tried three times and more.
  assert.deepEqual(story.told, ['The policy "Known hosts" does not let this agent call bad.test: Allowed hosts: good.test']);
  assert.deepEqual(
    [story.passed.status, story.passed.finding],
    ['passed', 'Every agent of caller that runs is held to the allowed hosts, as the kernel of its machine says.'],
  );
  // While the server is down, allowed hosts stay reachable and no further name resolves.
  assert.deepEqual(story.whileAway, ['203.0.113.8', 'ECONNREFUSED', false]);
  assert.deepEqual(story.afterRestart, held);
  assert.deepEqual(story.fromTheStart, held);
  assert.deepEqual(story.archived, open);
  assert.deepEqual([story.failed.status, story.failed.finding], ['failed', 'The agents of caller may call every host of the internet.']);
  assert.deepEqual(story.blocked, blocked);
  const [first, second] = story.ids.deployments;
  assert.deepEqual(
    // Newest first. The restarted server does not know what the previous one recorded.
    story.enforced.map(({ deployment_id, ...one }) => [one.policy, one.rule, one.host, deployment_id]),
    [
      ['Not these', 'Blocked hosts: bad.test', 'bad.test', second],
      ['Known hosts', 'Allowed hosts: good.test', 'bad.test', second],
      ['Known hosts', 'Allowed hosts: good.test', 'bad.test', first],
      ['Known hosts', 'Allowed hosts: good.test', 'bad.test', first],
    ],
  );
});
