// The laws of this repository. Each test lists the violations of its law, so that the message says where to go.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { contract } from '../packages/contract/src/routes.ts';
import { featureOf, isTest, readImports, readSources, resolveImport, type Source, workspaceOf } from './architecture/sources.ts';
import { missingFromLock } from './lock-file.ts';
import { ROOT } from './program.ts';

const MAX_FILE_LINES = 300;

/** The own packages that each workspace may import. Arrows point one way. */
const ARROWS: Record<string, string[]> = {
  'packages/contract': ['audit', 'pii'], // only their constants
  'packages/client': ['contract'],
  'packages/network': [],
  'packages/safe-files': [],
  'packages/billing': ['contract'], // only the plans and the units of time
  'packages/builder': ['contract', 'safe-files'],
  'packages/runtime': ['contract', 'network', 'safe-files'],
  'packages/output': [],
  'packages/otlp': [],
  'packages/audit': [],
  'packages/audit-verifier': [], // it shares no code with the writer of the trail
  'packages/pii': [],
  'packages/database': [],
  'packages/database-driver': ['network', 'runtime', 'safe-files'],
  'apps/server': [
    'contract',
    'billing',
    'client',
    'network',
    'builder',
    'runtime',
    'database',
    'database-driver',
    'output',
    'otlp',
    'audit',
    'billing',
    'pii',
    'safe-files',
  ],
  'apps/gateway': ['contract', 'network', 'runtime', 'database', 'output', 'audit', 'pii'],
  'apps/console': ['contract', 'client', 'billing'], // the demo prices switches as the server does
  'apps/cli': ['contract', 'client', 'runtime', 'audit-verifier'], // its doctor tries the sandbox
};

/**
 * Console features that show a part of another feature, each with the features that it may import; the reverse import is forbidden. The
 * server has no such exceptions: there `app.ts` passes one feature a function of another.
 */
const SCREENS: Record<string, string[]> = {
  dashboard: ['projects', 'deployments', 'databases', 'metrics'], // it summarises the others
  databases: ['projects', 'system'], // a database belongs to a project, and the system may lack one kind
  deployments: ['projects', 'logs', 'traces', 'databases', 'system', 'billing/plan-limits', 'variables'], // it belongs to a project; it shows its log, its traces, its databases, the limits it meets and the missing variables
  metrics: ['traces'], // traces are shown beside an agent's metrics
  'alerts/rules': ['projects'], // rules belong to a project
  billing: ['projects', 'billing/plan-limits', 'traces'], // a budget may belong to a project; usage is shown against the plan, and beside what models cost
  projects: ['billing/plan-limits', 'deployments', 'logs', 'variables', 'databases'], // the limit is shown before one is created; its page summarises its parts
  governance: ['projects', 'traces', 'accounts'], // data protection is per project; demo records link to demo traces; an erasure asks for the password
  variables: ['projects', 'deployments'], // variables belong to a project; changed ones reach an agent by a redeploy
  oauth: ['accounts'], // the return from a provider looks like the sign-in, which gets its provider buttons from the routes
};

/** `--role gateway` starts the gateway's own program through the server's command line. */
const HANDED_OVER = 'apps/server/src/main.ts imports ../../gateway/src/main.ts';

/** The CLI runs from a clone on any Node, and finds a newer one as `npm start` does. */
const TO_BOOTSTRAP = /^apps\/cli\/bin\/paddock\.mjs imports \.\.\/\.\.\/\.\.\/scripts\/bootstrap\//;

/** Tests import the helpers of the test command: the size of a promise, the tools of the run, the built product, its mark, and free ports. */
const TO_TEST_RUN =
  /^(?:apps|packages)\/\S+(?:\.test\.tsx?|\/test\/\S+\.ts) imports (?:\.\.\/)+scripts\/test\/(?:size|run-tools|product|leftovers|at-end|free-port)\.ts$/;

/** Types, and rules for texts that are short or whose length the rules bound: the event loop may use them. */
const BESIDE_THE_RULES = new Set(
  ['commands', 'line-parts', 'settings', 'toolchains', 'yaml'].map((name) => `packages/builder/src/detect/${name}.ts`),
);

const sources = readSources();
const product = sources.filter(({ path }) => /^(apps|packages)\//.test(path));

test('packages and apps import each other along the arrows only', () => {
  const broken = eachImport(product, (source, name) => {
    const own = /^@paddock\/([^/]+)/.exec(name)?.[1];
    return own !== undefined && !ARROWS[workspaceOf(source.path)]?.includes(own) && !isTest(source);
  });
  assert.deepEqual(broken, []);
  const workspaces = new Set(product.map(({ path }) => workspaceOf(path)));
  assert.deepEqual(
    [...workspaces].sort(),
    Object.keys(ARROWS).sort(),
    'each workspace has its line among the arrows, and no line is left over',
  );
});

test('only the thread of an archive reads what strangers wrote in it: nothing that runs on the event loop imports the rules', () => {
  const rules = /^packages\/builder\/src\/(?:(?:detect|python|node)\/|unpack\/plan-folder\.ts$)/;
  const isInThread = (path: string) => rules.test(path) || path === 'packages/builder/src/unpack/worker.ts';
  const broken = eachImport(
    product.filter((source) => source.path.startsWith('packages/builder/src/') && !isInThread(source.path) && !isTest(source)),
    (source, name) => name.startsWith('.') && rules.test(resolveImport(source, name)) && !BESIDE_THE_RULES.has(resolveImport(source, name)),
  );
  assert.deepEqual(broken, []);
});

test('a relative import never leaves its workspace', () => {
  const broken = eachImport(
    product,
    (source, name) => name.startsWith('.') && workspaceOf(resolveImport(source, name)) !== workspaceOf(source.path),
  );
  assert.deepEqual(
    broken.filter((one) => one !== HANDED_OVER && !TO_BOOTSTRAP.test(one) && !TO_TEST_RUN.test(one)),
    [],
  );
});

test('a workspace imports only packages that its own package.json names', () => {
  const broken = eachImport(product, (source, name) => {
    const wanted = packageOf(name);
    return wanted !== undefined && !dependenciesOf(workspaceOf(source.path), isTest(source)).has(wanted);
  });
  assert.deepEqual(broken, []);
});

test("Node's own modules are imported with the node: prefix", () => {
  assert.deepEqual(
    eachImport(sources, (_, name) => !name.startsWith('node:') && isBuiltin(name)),
    [],
  );
});

test('features never import each other, but for the screens that show a part of another one', () => {
  const broken = eachImport(product, (source, name) => {
    const [from, to] = [featureOf(source.path), featureOf(resolveImport(source, name))];
    const shows = source.path.startsWith('apps/console/') && from !== undefined ? (SCREENS[from] ?? []) : [];
    return from !== undefined && to !== undefined && from !== to && !shows.includes(to);
  });
  assert.deepEqual(broken, []);
});

/** The only writer of CSV files is independent of the product, too. */
const UI_MAY_IMPORT = '@paddock/contract/csv';

test("the console's ui knows nothing of the product", () => {
  const ui = product.filter(({ path }) => path.startsWith('apps/console/src/ui/'));
  const broken = eachImport(ui, (source, name) => {
    const target = resolveImport(source, name);
    if (name === UI_MAY_IMPORT) return false;
    return name.startsWith('@paddock/') || (name.startsWith('.') && !target.startsWith('apps/console/src/ui/') && !isTest(source));
  });
  assert.deepEqual(broken, []);
});

/** Calls that change no data of the person, or whose caller is behind `useAction`, each by file and name. */
const UNGUARDED_CALLS = [
  'app/shell/profile.ts logout', // ends the session here whatever the response is
  'features/logs/session/open-stream.ts ticket', // no button starts it
  'features/oauth/sign-in.ts link', // behind useLeave and useLink
  'features/oauth/sign-in.ts authorize',
  'features/oauth/sign-in.ts linkCallback', // once per return from a provider, which works once
  'features/oauth/sign-in.ts callback',
  'features/accounts/cli/cli-key.ts create', // behind useCliKey
];

test('what the console changes on the server goes through useAction or intentions, so that a double press is one request', () => {
  const changing = new Set(
    Object.entries(contract).flatMap(([feature, routes]) =>
      Object.entries(routes).flatMap(([name, { method }]) => (method === 'GET' ? [] : [`${feature}.${name}`])),
    ),
  );
  const own = /^apps\/console\/src\/(?!(?:features\/(?:[^/]+\/)+)?demo\b)/;
  const broken = product
    .filter((source) => own.test(source.path) && !isTest(source))
    .flatMap(({ path, text }) => {
      const file = path.replace(own, '');
      const isGuarded = /import .*\b(useAction|useIntentions|useAddress)\b/.test(text);
      const calls = [...text.matchAll(/\bapi\.(\w+)\.(\w+)\b/g)].filter(([, feature, name]) => changing.has(`${feature}.${name}`));
      return [
        ...(/\buseMutation\b|\bmutateAsync\b/.test(text) && file !== 'api/use-action.ts' ? [`${file} sends past useAction`] : []),
        ...(/\bfreshKey\b/.test(text) && !/^api\/(fresh-key|intentions)\.ts$/.test(file) ? [`${file} makes keys of its own`] : []),
        ...(isGuarded ? [] : calls.map(([, , name]) => `${file} ${name}`).filter((call) => !UNGUARDED_CALLS.includes(call))),
      ];
    });
  assert.deepEqual(broken, []);
});

test('only config.ts reads the environment of the server and of the gateway', () => {
  const readers = product.filter(
    (source) =>
      /^apps\/(server|gateway)\/src\//.test(source.path) && !isTest(source) && /(?<!readConfig\()\bprocess\.env\b/.test(source.text),
  );
  assert.deepEqual(
    readers.map(({ path }) => path).filter((path) => !/^apps\/(server|gateway)\/src\/(?:config\/)?config\.ts$/.test(path)),
    [],
  );
});

test('no file promises later work', () => {
  // The words are split, or this file would break its own law.
  const words = ['TO.DO', 'FIX.ME', 'XX.X', '[Cc]oming .soon', '[Nn]ot .implemented'].map((word) => word.replace('.', ''));
  const promise = new RegExp(`\\b(${words.join('|')})\\b`);
  assert.deepEqual(
    sources.filter(({ text }) => promise.test(text)).map(({ path }) => path),
    [],
  );
});

test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
  const long = sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_FILE_LINES);
  assert.deepEqual(long, []);
});

test('no folder is a drawer for everything', () => {
  assert.deepEqual(
    sources.map(({ path }) => path).filter((path) => /\/(utils?|common|shared|helpers?|types)\//.test(path)),
    [],
  );
});

test('no test is switched off or cannot fail', () => {
  const idle = /\b(test|it|describe)\.(only|to[d]o)\(|\{\s*(only|to[d]o): true|assert\.ok\(true\)|expect\(true\)/;
  const tests = sources.filter((source) => isTest(source) || source.path.startsWith('e2e/'));
  assert.deepEqual(
    tests.filter(({ text }) => idle.test(text)).map(({ path }) => path),
    [],
  );
});

test('the lock file names the packages of every platform, so that npm ci works on all of them', () => {
  assert.deepEqual(
    missingFromLock(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))),
    [],
    'run: node scripts/lock-file.ts',
  );
});

test('the reader of imports sees every form of them', () => {
  const text = `import a from 'one';\nimport {\n  b,\n  type C,\n} from "two";\nimport 'three';\nexport * from 'four';\nexport type { D } from './five.ts';\nconst e = await import('six');\nconst f = 'from';`;
  assert.deepEqual(readImports(text), ['one', 'two', 'three', 'four', './five.ts', 'six']);
});

function eachImport(from: Source[], isBroken: (source: Source, name: string) => boolean): string[] {
  return from.flatMap((source) => source.imports.filter((name) => isBroken(source, name)).map((name) => `${source.path} imports ${name}`));
}

/** The package of an import; undefined for files, Node's own modules and the bundler's virtual ones. */
function packageOf(name: string): string | undefined {
  if (/^(\.|\/|node:|virtual:|data:)/.test(name) || isBuiltin(name)) return undefined;
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

const known = new Map<string, Set<string>>();

function dependenciesOf(workspace: string, inTest: boolean): Set<string> {
  const key = `${workspace} ${inTest}`;
  const folders = [workspace, ...(inTest ? ['.'] : [])].filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
  const names = known.get(key) ?? new Set(folders.flatMap(namesIn));
  known.set(key, names);
  return names;
}

function namesIn(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  > & { name: string };
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return [manifest.name, ...fields.flatMap((field) => Object.keys(manifest[field] ?? {}))];
}
