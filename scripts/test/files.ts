import { globSync } from 'node:fs';
import { ROOT } from '../program.ts';

const NODE_TESTS = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/{server,gateway,cli}/{src,test}/**/*.test.ts',
  '{scripts,faults,attacks}/**/*.test.ts',
];

/**
 * Tests that measure how long one visitor or one log waits beside an attack, or what share of a core a process gets. Other work on the machine would
 * be measured with it, so they come last, with few others at a time. Keep the list short: a core may be idle meanwhile.
 */
export const SENSITIVE_TO_LOAD = [
  'attacks/slow.test.ts',
  'faults/logs.test.ts',
  'packages/runtime/src/process/limits/weights.test.ts',
  'packages/runtime/src/process/limits/cpu-yield.test.ts',
];

export const isSensitiveToLoad = (file: string) => SENSITIVE_TO_LOAD.includes(file);

/** The architecture is among the checks already. */
export const nodeTestFiles = () => find(NODE_TESTS).filter((file) => !/^scripts\/architecture[./]/.test(file));

export const consoleTestFiles = () => find(['apps/console/src/**/*.test.{ts,tsx}']);

export const specFiles = () => find(['e2e/{demo,platform}/**/*.spec.ts']);

const find = (patterns: string[]) => globSync(patterns, { cwd: ROOT }).sort();

/** Every file that `npm test` gives to a runner. */
export const allTestFiles = () => [...nodeTestFiles(), ...consoleTestFiles(), ...specFiles()];
