import { matchesGlob } from 'node:path';

/** Tests that a change of `files` reaches, whatever imports the files: `everything`, only `checks`, or tests by path. */
export type Rule = { files: string[]; tests: 'everything' | 'checks' | string[] };

/**
 * The first matching rule decides, before any import is followed. A file without a rule reaches the tests that import, run or read it; a
 * file without known readers reaches everything.
 */
const RULES: Rule[] = [
  // The runner itself, and what every test needs.
  { files: ['scripts/test.ts', 'scripts/test/!(*.test).ts', 'scripts/program.ts'], tests: 'everything' },
  {
    files: ['package-lock.json', '{,apps/*/,packages/*/,e2e/}{package,tsconfig*}.json', '.npmrc', '.node-version', '.ci/**'],
    tests: 'everything',
  },
  // Only the checks read these. No test measures, and none runs for as long as the soak test.
  { files: ['.oxlintrc.json', '**/.oxlintrc.json', 'biome.json', 'knip.json', '**/.gitignore'], tests: 'checks' },
  { files: ['scripts/test/{durations,budget}.json'], tests: 'checks' },
  { files: ['scripts/architecture.test.ts', 'scripts/architecture/*.ts', 'scripts/dev.ts'], tests: 'checks' },
  {
    files: [
      'bench/**',
      'faults/soak.ts',
      'faults/soak/**',
      'faults/gateway-soak.ts',
      'faults/gateway-soak/**',
      'faults/run.ts',
      'faults/planted.ts',
      'faults/planted/{copy,try-bug,outcome-reporter}.ts',
      'attacks/{fuzz,measure,neighbours}.ts',
      'attacks/neighbours/**',
    ],
    tests: 'checks',
  },
  // The server publishes guides unchanged; these tests read them.
  {
    files: ['*.md', 'docs/**'],
    tests: [
      'apps/server/src/http/docs/{docs,guides}.test.ts',
      'apps/server/src/features/system/prometheus/{dashboard,prometheus}.test.ts',
      'apps/cli/src/program.test.ts',
      'e2e/platform/cli-login.spec.ts',
    ],
  },
  { files: ['apps/cli/action/**'], tests: ['apps/cli/test/action.test.ts'] },
  { files: ['{apps,packages,faults,attacks,scripts}/**/README.md'], tests: 'checks' },
  // The files of the console's build besides its modules.
  { files: ['apps/console/{public,test}/**', 'apps/console/*', 'apps/console/**/*.css'], tests: ['apps/console/**', 'e2e/**'] },
  { files: ['e2e/playwright.config.ts'], tests: ['e2e/**'] },
];

/** Tests that read the texts of many files: any change reaches them. */
export const TREE_READERS = [
  'apps/server/src/http/docs/docs.test.ts',
  'faults/failpoints/failpoints.test.ts',
  'faults/planted/list.test.ts',
];

/** Files that the runner loads for tests without an import. The demo is only the console; the other browser tests use the whole platform. */
const LOADED_FOR: { tests: string; files: string[] }[] = [
  { tests: 'apps/console/**', files: ['apps/console/test/setup.ts', 'apps/console/call-table.ts'] },
  { tests: 'e2e/demo/**', files: ['e2e/build-console.ts', 'apps/console/src/app/main.tsx'] },
  { tests: 'e2e/platform/**', files: ['e2e/build-console.ts', 'apps/console/src/app/main.tsx', 'e2e/platform/start-platform.ts'] },
];

/**
 * Compositions: a file that loads a `whole` loads every part, so a change of one part would reach nearly all tests. Of the tests that it
 * reaches only through the whole, those that name the part run. The first group of `part` is its name.
 */
const COMPOSITIONS: { part: RegExp; whole: RegExp }[] = [
  { part: /^apps\/server\/src\/features\/(?:(?:governance|billing|alerts)\/)?([^/]+)\//, whole: /^apps\/server\/src\/(?!features\/)/ },
  { part: /^apps\/console\/src\/features\/(?:alerts\/)?([^/]+)\//, whole: /^apps\/console\/src\/app\// },
  { part: /^packages\/contract\/src\/([a-z-]+)\.ts$/, whole: /^packages\/contract\/src\/(?:index|routes)\.ts$/ },
];
/** Features whose tests call them by another word than their folder. */
const NAMES: Record<string, string> = { trail: 'audit', subscriptions: 'billing', bell: 'alerts', rules: 'alert-rules' };
/** The parts of the contract are the files that this one imports. Shared modules of the contract are not parts. */
const CONTRACT_PARTS = 'packages/contract/src/routes.ts';

/** The name of `file`'s part, if `reader` is a composition. `readers` are all readers of the file. */
export function partComposed(file: string, reader: string, readers: ReadonlySet<string>): string | undefined {
  if (/\.(?:test|spec)\.tsx?$/.test(reader)) return undefined;
  const found = COMPOSITIONS.find(({ part, whole }) => part.test(file) && whole.test(reader));
  const isListed = !file.startsWith('packages/contract/') || readers.has(CONTRACT_PARTS);
  const part = isListed ? found?.part.exec(file)?.[1] : undefined;
  return part && (NAMES[part] ?? part);
}

/** Every file or pattern of files that the tables name. */
export const namedFiles = [
  ...RULES.flatMap(({ files, tests }) => [...files, ...(Array.isArray(tests) ? tests : [])]),
  ...TREE_READERS,
  ...LOADED_FOR.flatMap(({ tests, files }) => [tests, ...files]),
];

export const ruleFor = (path: string): Rule | undefined => RULES.find(({ files }) => files.some((pattern) => matchesGlob(path, pattern)));

export const loadedFor = (test: string): string[] => LOADED_FOR.flatMap(({ tests, files }) => (matchesGlob(test, tests) ? files : []));
