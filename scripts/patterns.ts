// A law of `npm run check`: each pattern that may meet untrusted bytes takes linear time. An archive, a log line, or a header of an agent or
// a visitor is read on an event loop that serves everybody, and a quadratic pattern stops that loop with a few kilobytes.
// `node scripts/patterns.ts --record` renews the committed list of proven patterns.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from './architecture/sources.ts';
import { EXCEPTIONS } from './patterns/exceptions.ts';
import { type Found, findInSql, findPatterns } from './patterns/find.ts';
import { judge, keyOf, recordProven, unrecorded } from './patterns/judge.ts';
import { ROOT } from './program.ts';

export type Pattern = Found & { path: string };

/** Files that read untrusted bytes on a shared event loop, and the CLI, which prints a server's text. */
const FILES = ['{packages,apps/server,apps/gateway,apps/cli}/**/*.{ts,mjs,sql}'];
const NOT_OURS = /(^|\/)(node_modules|dist|fixtures|test)(\/|$)/;

export function readPatterns(): Pattern[] {
  const files = globSync(FILES, { cwd: ROOT, exclude: (path) => NOT_OURS.test(path) }).sort();
  return files
    .filter((path) => !isTest({ path, text: '', imports: [] }))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return (path.endsWith('.sql') ? findInSql(text) : findPatterns(text)).map((found) => ({ path, ...found }));
    });
}

/** The violations, one a line. `isRecorded` writes the proven patterns to the committed list. */
export async function brokenPatterns(patterns: Pattern[], { isRecorded = false } = {}): Promise<string[]> {
  const excepted = (one: Pattern) => EXCEPTIONS.find(({ path, text }) => path === one.path && text === one.text);
  const judged = patterns.flatMap((one) => {
    const source = excepted(one)?.judgedAs ?? one.source;
    return source === undefined || source === 'like' ? [] : [{ ...one, source }];
  });
  const verdicts = await judge(judged);
  const proven = judged.filter((one) => verdicts.get(keyOf(one))!.isLinear);
  if (isRecorded) recordProven(proven);
  const unproven = judged.flatMap((one) => {
    const verdict = verdicts.get(keyOf(one))!;
    const exception = excepted(one);
    if (verdict.isLinear || (exception && exception.judgedAs === undefined)) return [];
    return [`${one.path}:${one.line} ${one.text}\n    ${verdict.why}`];
  });
  const unknown = patterns.filter((one) => one.source === undefined && !excepted(one));
  const idle = EXCEPTIONS.filter(({ path, text }) => !patterns.some((one) => one.path === path && one.text === text));
  return [
    ...unproven,
    ...unrecorded(proven).map(
      (one) => `${one.path}:${one.line} ${one.text}\n    is linear; add it to the list with \`node scripts/patterns.ts --record\``,
    ),
    ...unknown.map(
      (one) =>
        `${one.path}:${one.line} ${one.text}\n    is made at run time: make it a constant, or list it in scripts/patterns/exceptions.ts`,
    ),
    ...idle.map(({ path, text }) => `scripts/patterns/exceptions.ts lists ${text} of ${path}, which is not there any more`),
  ];
}

if (import.meta.main) {
  const patterns = readPatterns();
  const broken = await brokenPatterns(patterns, { isRecorded: process.argv.includes('--record') });
  if (broken.length > 0) {
    console.error(`${broken.length} of ${patterns.length} patterns break the law of patterns:\n\n${broken.join('\n')}\n`);
    console.error(
      'Bound the length first, then write a pattern whose parts cannot match the same text, or read the text by hand (indexOf, a loop).',
    );
  }
  process.exit(broken.length > 0 ? 1 : 0); // the checker's own process would wait for more
}
