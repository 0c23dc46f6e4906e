import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { piiTypes } from '@paddock/contract';
import { policyWorld, refusedBy } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { createProtectionReader } from '../../../protection/settings-store.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const rule = 'Redact Email, SSN';

/** A person whose project allows all personal data. */
async function allowing() {
  const w = await policyWorld(world);
  const { id: deployment_id } = await w.deploy();
  const save = async (allowed: readonly string[]) => {
    const { is_default: _, ...settings } = await w.api.governance.dataProtection({ id: w.project_id });
    const rules = { ...settings.rules };
    for (const type of piiTypes) rules[type] = { ...rules[type], action: allowed.includes(type) ? 'allow' : 'mask' };
    return w.api.governance.setDataProtection({ id: w.project_id, ...settings, rules });
  };
  const allowedNow = async () => {
    const { rules } = await w.api.governance.dataProtection({ id: w.project_id });
    const stored = await createProtectionReader(world.sql)(deployment_id);
    assert.deepEqual(stored?.settings.rules, rules, 'what is stored of logs and traces is redacted by the same settings');
    return piiTypes.filter((type) => rules[type].action === 'allow');
  };
  await save(piiTypes);
  return { ...w, save, allowedNow };
}

test('what a policy wants redacted counts as redacted in every project, and may not be allowed; not by a draft or an archived one', async () => {
  const w = await allowing();
  await w.policy([rule], 'draft');
  assert.deepEqual(await w.allowedNow(), [...piiTypes]);
  const policy = await w.policy([rule]);
  assert.deepEqual(
    await w.allowedNow(),
    piiTypes.filter((type) => type !== 'Email' && type !== 'SSN'),
  );
  await assert.rejects(w.save(['SSN']), refusedBy(rule));
  await w.save(['Phone', 'Name']);
  assert.deepEqual(await w.allowedNow(), ['Phone', 'Name']);
  await w.archive(policy);
  await w.save(['SSN']);
  assert.deepEqual(await w.allowedNow(), ['SSN']);
});

test('the dry run counts the settings that allowed it', async () => {
  const w = await allowing();
  await w.save(['Phone']);
  await w.record();
  const { rules } = await w.api.policies.dryRun({ rules: [rule, 'Redact Phone', 'Redact all personal data'] });
  assert.deepEqual(
    rules.map(({ refused }) => refused),
    [1, 2, 2],
  );
});

test('gateways are told when what is redacted changes', async () => {
  const w = await allowing();
  const { id } = await w.deploy();
  await world.sql`
    insert into routes (label, team_id, project_id, deployment_id, state, version)
    values (${`l-${id.slice(-12)}`}, ${w.team_id}, ${w.project_id}, ${id}, 'starting', 1)`;
  const version = async () => (await world.sql<[{ version: number }]>`select version from routes where deployment_id = ${id}`)[0].version;
  const changed = async (act: () => Promise<unknown>) => {
    const before = await version();
    await act();
    return (await version()) !== before;
  };
  assert.equal(await changed(() => w.policy(['Be kind'])), false);
  assert.equal(await changed(() => w.policy([rule], 'draft')), false);
  assert.equal(await changed(() => w.policy([rule])), true);
  const [policy] = (await w.api.policies.list()).policies;
  assert.equal(await changed(() => w.archive(policy!)), true);
});
