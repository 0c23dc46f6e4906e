import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditEvent, auditedPerson, auditSteps } from '../../../../../test/audit.ts';
import { startApi } from '../../../../../test/server.ts';
import { checkpointStore } from '../checkpoints/checkpoint-store.ts';
import { checkpointTrees } from './checkpoint-trees.ts';

test('a tree of a checkpoint is built once for all exports that need it, and again after it could not be read', async (t) => {
  const world = await startApi(t);
  const steps = await auditSteps(world);
  const { team_id } = await auditedPerson(world);
  await steps.handIn(Array.from({ length: 20 }, () => auditEvent(team_id)));
  await steps.sequence();
  await steps.sign();
  const store = checkpointStore(world.sql);
  let reads = 0;
  let isBroken = true;
  const facts: typeof store.facts = (...range) => {
    reads += 1;
    return isBroken ? world.sql`select 1 / 0` : store.facts(...range);
  };
  const treeOfCheckpoint = checkpointTrees({ facts }, steps.key);
  const last = (await store.last(team_id))!;
  await assert.rejects(treeOfCheckpoint(last), /division by zero/);
  isBroken = false;
  const trees = await Promise.all([treeOfCheckpoint(last), treeOfCheckpoint(last)]);
  assert.equal(await treeOfCheckpoint(last), trees[0]);
  assert.equal(trees[1], trees[0]);
  assert.equal(trees[0]?.seq, last.seq);
  assert.equal(reads, 2);
  assert.equal(await treeOfCheckpoint({ ...last, seq: last.seq + 1, line: 'forged' }), undefined);
});
