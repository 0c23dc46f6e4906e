// The layers of the console, and the direction of their imports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, readSources, resolveImport, type Source } from './sources.ts';

const SRC = 'apps/console/src/';
const MAX_FILES = 25;

/** Each layer imports only from itself and from earlier layers. Nobody imports `app`, the last one. */
const ROOMS = ['ui', 'api', 'commands', 'navigation', 'features', 'app'];

/** The same order for the kinds of components. */
const UI_ROOMS = ['theme', 'preferences', 'controls', 'text', 'layout', 'feedback', 'charts', 'overlays'];

/** The only imports of the demo: both load it when a demo session first needs it. */
const WAYS_INTO_DEMO = [
  `${SRC}app/Console.tsx imports ../demo/demo-api.ts`,
  `${SRC}features/logs/session/open-stream.ts imports ../demo/stream.ts`,
];

const sources = readSources().filter((source) => source.path.startsWith(SRC) && /\.tsx?$/.test(source.path));
const product = sources.filter((source) => !isTest(source));
const isDemo = (path: string) => /\/src\/(?:features\/(?:[^/]+\/)+)?demo(?:\/|\.ts$)/.test(path);

test("the console's rooms import one way, and nobody imports the roof", () => {
  const unknown = new Set(product.map(({ path }) => folderIn(SRC, path)).filter((room) => room !== 'demo' && !ROOMS.includes(room)));
  assert.deepEqual([...unknown], [], 'a new room needs its place in the order');
  const broken = eachImport(
    product,
    (source, target) => !isDemo(source.path) && !isDemo(target) && leadsUp({ order: ROOMS, above: SRC }, source.path, target),
  );
  assert.deepEqual(broken, []);
});

test("the kinds of the console's components import one way", () => {
  const ui = product.filter(({ path }) => path.startsWith(`${SRC}ui/`));
  assert.deepEqual([...new Set(ui.map(({ path }) => folderIn(`${SRC}ui/`, path)))].toSorted(), UI_ROOMS.toSorted());
  assert.deepEqual(
    eachImport(ui, (source, target) => leadsUp({ order: UI_ROOMS, above: `${SRC}ui/` }, source.path, target)),
    [],
  );
});

test('the demo is fetched by demo sessions alone: no other code imports it, and it knows no screen', () => {
  const into = eachImport(product, (source, target) => !isDemo(source.path) && isDemo(target));
  assert.deepEqual(into, WAYS_INTO_DEMO);
  for (const way of WAYS_INTO_DEMO) {
    const [path, name] = way.split(' imports ');
    const text = product.find((source) => source.path === path)?.text ?? '';
    assert.ok(text.includes(`import('${name}')`), `${way}, with the page instead of on demand`);
  }
  const demo = product.filter(({ path }) => isDemo(path));
  assert.deepEqual(
    eachImport(demo, (_, target) => target.endsWith('.tsx') || target.startsWith(`${SRC}app/`)),
    [],
  );
});

test('no files of the console import each other in a circle, types included', () => {
  assert.deepEqual(circleIn(product), []);
});

test(`no folder of the console holds more than ${MAX_FILES} files beside tests`, () => {
  const counts = Map.groupBy(product, ({ path }) => path.slice(0, path.lastIndexOf('/')));
  assert.deepEqual(
    [...counts].filter(([, files]) => files.length > MAX_FILES).map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  );
});

test('the search for circles finds one', () => {
  const file = (name: string, ...imports: string[]): Source => ({ path: `${SRC}${name}`, text: '', imports });
  assert.deepEqual(circleIn([file('a.ts', './b.ts'), file('b.ts', './c.ts'), file('c.ts', './b.ts')]), [`${SRC}b.ts`, `${SRC}c.ts`]);
});

const folderIn = (above: string, path: string) => path.slice(above.length).split('/')[0] ?? '';

function leadsUp({ order, above }: { order: string[]; above: string }, from: string, to: string): boolean {
  if (!to.startsWith(above)) return false;
  return order.indexOf(folderIn(above, from)) < order.indexOf(folderIn(above, to));
}

/** Animated by moving a layer. The browser computes and paints everything else again for each frame, also of a page at rest. */
const CHEAP_TO_ANIMATE = ['transform', 'translate', 'rotate', 'scale', 'opacity'];

test('what moves without end moves a layer: nothing is painted again for each frame', () => {
  const texts = readSources().filter(({ path }) => path.startsWith(SRC) && path.endsWith('.css'));
  const frames = texts.flatMap(({ text }) =>
    [...text.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].map(([, body = '']) => body),
  );
  const properties = frames.flatMap((body) => [...body.matchAll(/([\w-]+):/g)].map(([, name = '']) => name));
  assert.ok(properties.length > 1, 'no animation was found');
  assert.deepEqual(
    properties.filter((name) => !CHEAP_TO_ANIMATE.includes(name)),
    [],
  );
});

function eachImport(from: Source[], isBroken: (source: Source, target: string) => boolean): string[] {
  return from.flatMap((source) =>
    source.imports.filter((name) => isBroken(source, resolveImport(source, name))).map((name) => `${source.path} imports ${name}`),
  );
}

/** The files of one import cycle; empty if there is none. */
function circleIn(files: Source[]): string[] {
  const known = new Map(files.map((source) => [source.path, source]));
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): string[] => {
    if (way.includes(path)) return way.slice(way.indexOf(path));
    const source = known.get(path);
    if (done.has(path) || !source) return [];
    way.push(path);
    for (const name of source.imports) {
      const circle = visit(resolveImport(source, name));
      if (circle.length > 0) return circle;
    }
    way.pop();
    done.add(path);
    return [];
  };
  for (const { path } of files) {
    const circle = visit(path);
    if (circle.length > 0) return circle;
  }
  return [];
}
