// Builds of Next whose fonts are Google's, on a machine that does not reach Google.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBuilds } from '../../test/build-files.ts';

const { buildFiles } = await openBuilds();

const url = 'https://fonts.googleapis.com/css2?family=Geist+Mono:wght@100..900&display=swap';

/** A build that fails at its font as Next's does, and takes the answers of Next's setting for tests as both of its bundlers do. */
const next = (ends: string) => ({
  'package.json': JSON.stringify({ name: 'a', version: '1.0.0', scripts: { build: 'node build.mjs', start: 'node dist/index.js' } }),
  'build.mjs': `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
appendFileSync('attempts', 'x');
const given = process.env.NEXT_FONT_GOOGLE_MOCKED_RESPONSES;
if (given === undefined) {
  console.error('There was an issue establishing a connection while requesting ${url}.');
  console.error('Failed to fetch \`Geist Mono\` from Google Fonts.');
  process.exit(1);
}
${ends}
const answers = createRequire(import.meta.url)(given);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.js', '');
writeFileSync('dist/fonts.json', JSON.stringify([answers['${url}'], JSON.parse(JSON.stringify(answers)), answers['https://fonts.googleapis.com/css2?family=Inter']]));
`,
});

test('a build of Next that does not reach Google takes the fonts of the visitor’s device, and says so', async () => {
  const { plan, warnings, reused, app_dir } = await buildFiles(next(''));
  const read = (file: string) => readFileSync(join(app_dir, file), 'utf8');
  const warning = warnings.find((one) => one.includes('fonts')) ?? '';
  assert.match(warning, /^The fonts Geist Mono are not in the pages: this machine did not reach fonts\.googleapis\.com/);
  assert.ok(plan.warnings.includes(warning));
  assert.equal(read('attempts'), 'xx', 'the failed build is not tried again as it was');
  const [sheet, all, other] = JSON.parse(read('dist/fonts.json')) as [string, Record<string, string>, string];
  assert.match(sheet, /@font-face \{\n {2}font-family: 'Geist Mono';.*local\('Geist Mono'\)/s);
  assert.deepEqual(all, { [url]: sheet }, 'Turbopack takes a list');
  assert.match(other, /font-family: 'Inter'/);
  assert.equal(reused, false);
  assert.equal((await buildFiles(next(''))).reused, false, 'the next build of the same archive tries to get the fonts');
});

test('a build that fails for another reason without the fonts, too, fails for that reason', async () => {
  await assert.rejects(buildFiles(next("console.error('Error: Cannot find module \\'lamp\\'');\nprocess.exit(1);")), /lamp/);
});
