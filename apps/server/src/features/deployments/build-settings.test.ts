import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zip } from '../../../test/archives.ts';
import { reaches, startPlatform } from '../../../test/platform.ts';
import {
  type BuildSettings,
  besidesOwn,
  type GivenSettings,
  type KeptSettings,
  settingsOfRedeploy,
  settingsOfUpload,
} from './build-settings.ts';

test('a failed archive of several agents offers its folders; the one that is used is kept for uploads until it is forgotten', async () => {
  const paddock = await startPlatform(undefined);
  const { api } = await paddock.person();
  const { id: project_id, build_settings } = await api.projects.create({ name: 'several' });
  assert.equal(build_settings, null);
  const file = zip({
    'README.md': '',
    'api/index.js': 'console.log("api")',
    'bot/index.js': 'console.log("bot")',
    'bot/other.js': 'console.log("other")',
  });
  const upload = (given: { root?: string; start?: string; keep?: 'true' } = {}) =>
    api.deployments.create({ project_id, file, file_name: 'a.zip', ...given });
  const kept = async () => (await api.projects.get({ id: project_id })).build_settings;

  const failed = await reaches(api, (await upload()).id, ['failed']);
  const { plan, failure_choices } = await api.deployments.get({ id: failed.id });
  assert.deepEqual(failure_choices, [
    { root: 'api', because: 'Node' },
    { root: 'bot', because: 'Node' },
  ]);
  assert.equal(plan, null);

  const used = await reaches(api, (await api.deployments.redeploy({ id: failed.id, root: 'bot' })).id, ['completed']);
  const usedDetail = await api.deployments.get({ id: used.id });
  assert.deepEqual([usedDetail.plan?.root, usedDetail.failure_choices], ['bot', null]);
  assert.deepEqual(await kept(), { root: 'bot' });

  const later = await reaches(api, (await upload()).id, ['completed']);
  const { reasons } = (await api.deployments.get({ id: later.id })).plan!;
  assert.equal(reasons.find(({ what }) => what === 'root')?.because, 'setting of the project');

  const once = await api.deployments.redeploy({ id: later.id, start: 'node other.js', keep: false });
  await reaches(api, once.id, ['completed']);
  assert.deepEqual((await api.deployments.get({ id: once.id })).plan?.start, ['node', 'other.js']);
  assert.deepEqual(await kept(), { root: 'bot' }, 'not kept where the call says so');

  await reaches(api, (await upload({ keep: 'true' })).id, ['failed']);
  assert.equal(await kept(), null);
  await reaches(api, (await upload()).id, ['failed']);
});

test('an agent whose start misses packages is offered all that it imports at once, then what it misses later, and later uploads get them too', async () => {
  const paddock = await startPlatform(undefined);
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'lacking' });
  const file = zip({ 'main.py': 'import bottle\nimport inflection\ndef work():\n    import idna\nwork()\n' });
  const upload = (given: { packages?: string } = {}) => api.deployments.create({ project_id, file, file_name: 'a.zip', ...given });
  const lacking = async ({ id }: { id: string }) => {
    await reaches(api, id, ['failed']);
    return (await api.deployments.get({ id })).failure_choices;
  };
  const first = await upload();
  assert.deepEqual(await lacking(first), [{ packages: 'bottle inflection', because: 'the start misses it' }]);
  assert.match(
    (await api.deployments.get({ id: first.id })).error_message ?? '',
    /'bottle' is missing: .* Not installed either: inflection\./,
  );
  const second = await api.deployments.redeploy({ id: first.id, packages: 'bottle inflection' });
  assert.deepEqual(await lacking(second), [{ packages: 'bottle inflection idna', because: 'the start misses it' }]);
  const third = await api.deployments.redeploy({ id: second.id, packages: 'bottle inflection idna' });
  await reaches(api, third.id, ['completed']);
  assert.equal((await api.deployments.get({ id: third.id })).failure_choices, null);
  assert.deepEqual((await api.projects.get({ id: project_id })).build_settings, { packages: 'bottle inflection idna' });
  await reaches(api, (await upload()).id, ['completed']);
  await assert.rejects(
    upload({ packages: 'bottle --index-url=https://a.example' }),
    /“--index-url=https:\/\/a\.example”, which is no name of a package/,
  );
});

const bot: KeptSettings = { root: 'bot', start: 'node a.js' };

const uploads: [what: string, given: GivenSettings, kept: KeptSettings, settings: BuildSettings, keeps: KeptSettings | undefined][] = [
  ['gives nothing, and nothing is kept', {}, null, {}, undefined],
  ['gives nothing', {}, bot, { ...bot, of_project: true }, undefined],
  ['gives a start command, which is for this upload alone', { start: 'x' }, bot, { start: 'x' }, undefined],
  ['gives a folder, which is for this upload alone', { root: 'api', keep: false }, bot, { root: 'api' }, undefined],
  ['gives a start command to be kept', { start: 'x', keep: true }, bot, { start: 'x' }, { start: 'x' }],
  ['gives nothing to be kept', { keep: true }, bot, {}, null],
  ['gives packages, which are for this upload alone', { packages: 'ddgs' }, bot, { packages: 'ddgs' }, undefined],
  ['gives empty texts', { root: '', start: '' }, bot, { ...bot, of_project: true }, undefined],
];
for (const [what, given, kept, settings, keeps] of uploads)
  test(`settings of an upload that ${what}`, () => assert.deepEqual(settingsOfUpload(given, kept), { settings, keeps }));

const redeploys: [what: string, given: GivenSettings, source: BuildSettings, settings: BuildSettings, keeps: KeptSettings | undefined][] = [
  ['gives nothing', {}, { root: 'bot', of_project: true }, { root: 'bot', of_project: true }, undefined],
  [
    'keeps the settings of its source',
    { keep: true },
    { root: 'bot', of_project: true },
    { root: 'bot', of_project: true },
    { root: 'bot' },
  ],
  ['gives another folder', { root: 'api' }, bot, { root: 'api' }, { root: 'api' }],
  ['gives another command', { start: 'x' }, bot, { root: 'bot', start: 'x' }, { root: 'bot', start: 'x' }],
  ['gives both once', { root: 'api', start: 'x', keep: false }, bot, { root: 'api', start: 'x' }, undefined],
  ['adds packages', { packages: 'ddgs' }, bot, { ...bot, packages: 'ddgs' }, { ...bot, packages: 'ddgs' }],
  [
    'gives another command, with packages',
    { start: 'x' },
    { packages: 'ddgs' },
    { start: 'x', packages: 'ddgs' },
    { start: 'x', packages: 'ddgs' },
  ],
  ['gives another folder, for which its packages were not', { root: 'api' }, { packages: 'ddgs' }, { root: 'api' }, { root: 'api' }],
  ['empties both', { root: '', start: '' }, bot, {}, null],
];
for (const [what, given, source, settings, keeps] of redeploys)
  test(`settings of a redeploy that ${what}`, () => assert.deepEqual(settingsOfRedeploy(given, source), { settings, keeps }));

test('packages are offered with those that are there already, and not where nobody could give them', () => {
  const because = 'the start misses it';
  const many = Array.from({ length: 50 }, (_, at) => `a${at}`).join(' ');
  assert.deepEqual(besidesOwn([{ packages: 'idna', because }], { packages: 'six' }), [{ packages: 'six idna', because }]);
  assert.deepEqual(
    besidesOwn(
      [
        { packages: '../x', because },
        { root: 'api', because },
      ],
      {},
    ),
    [{ root: 'api', because }],
  );
  assert.deepEqual(besidesOwn([{ packages: 'idna', because }], { packages: many }), []);
});
