// The tests that a change can reach: those that import, run or read a changed file, directly or through other files.
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { isSource } from './names.ts';
import { addReader, findReaders, type Readers } from './readers.ts';
import { loadedFor, partComposed, type Rule, ruleFor, TREE_READERS } from './rules.ts';

/** `because`: for each reached test the changed file that reaches it. `everything`: the reason why every test is reached, if so. */
export type Reach = { because: ReadonlyMap<string, string>; everything?: string };

/** The dependencies in a repository; `tests` are the files that a runner runs. */
export type Repository = { root: string; tests: string[]; readers: Readers; textOf: (test: string) => string };

/** `files` are paths from the root; missing files are skipped. */
export function readRepository(root: string, files: string[], tests: string[]): Repository {
  const readers = findReaders(
    root,
    files.filter((file) => existsSync(join(root, file))),
  );
  for (const test of tests) for (const file of loadedFor(test)) addReader(readers, file, test);
  const texts = new Map<string, string>();
  const textOf = (test: string) => {
    const text = texts.get(test) ?? readFileSync(join(root, test), 'utf8');
    texts.set(test, text);
    return text;
  };
  return { root, tests, readers, textOf };
}

/** A changed file without known readers reaches every test. */
export function reachOf(repository: Repository, changed: string[]): Reach {
  const { root, tests, readers } = repository;
  const because = new Map<string, string>();
  const reach = (test: string, cause: string) => {
    if (!because.has(test)) because.set(test, cause);
  };
  for (const file of changed) {
    const rule = ruleFor(file);
    if (rule?.tests === 'everything') return whole(tests, file, `every test depends on ${file}`);
    const reached = rule ? testsOf(rule.tests, tests) : reachedFrom(file, repository);
    // Only files that still name a deleted source miss it: files that named it before have changed, too.
    const isKnown = rule !== undefined || readers.erased.has(file) || (isSource(file) && !existsSync(join(root, file)));
    if (reached.length === 0 && !isKnown) return whole(tests, file, `nothing is known of ${file}`);
    for (const test of reached) reach(test, file);
  }
  for (const test of tests) if (TREE_READERS.includes(test)) reach(test, 'the texts of the repository, which the test reads');
  return { because };
}

const whole = (tests: string[], file: string, everything: string): Reach => ({
  because: new Map(tests.map((test) => [test, file])),
  everything,
});

function testsOf(wanted: Rule['tests'], tests: string[]): string[] {
  return Array.isArray(wanted) ? tests.filter((test) => wanted.some((pattern) => matchesGlob(test, pattern))) : [];
}

/** The tests among the file, its readers, their readers, and so on. Beyond a composition, only tests that name the part count. */
function reachedFrom(file: string, { tests, readers: { of }, textOf }: Repository): string[] {
  const reached = new Set([file]);
  const parts = new Set<string>();
  const composed = new Set<string>();
  for (const path of reached) {
    const readers = of.get(path) ?? new Set();
    for (const reader of readers) {
      const part = partComposed(path, reader, readers);
      (part === undefined ? reached : composed).add(reader);
      if (part !== undefined) parts.add(part);
    }
  }
  for (const path of composed) for (const reader of of.get(path) ?? []) composed.add(reader);
  const names = [...parts].map(spellings);
  const isNamed = (test: string) => names.some((name) => name.test(test) || name.test(textOf(test)));
  return tests.filter((test) => reached.has(test) || (composed.has(test) && isNamed(test)));
}

/** Matches `api-keys` as `apiKeys`, `api_key`, `ownApiKey`, `API key` and so on, but not within another word. */
function spellings(part: string): RegExp {
  const [first = '', ...more] = part.replace(/s$/, '').split('-');
  const beginning = `(?:(?<![a-z])${first}|${capital(first)}|${first.toUpperCase()})`;
  const rest = more.map((word) => `[-_ ]?(?:${word}|${capital(word)})`).join('');
  return new RegExp(`${beginning}${rest}s?(?![a-z])`);
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
