import { globSync } from 'node:fs';
import { ROOT } from '../program.ts';

const NODE_TESTS = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/{server,gateway,cli}/{src,test}/**/*.test.ts',
  '{scripts,faults,attacks}/**/*.test.ts',
];

/**
 * Tests that measure the delay of a visitor or a log during an attack, or a process's share of a core. Other work on the machine would
 * disturb the measurement, so they come last, with few others at a time. Keep the list short: a core may be idle meanwhile.
 */
export const SENSITIVE_TO_LOAD = [
  'attacks/slow.test.ts',
  'faults/logs.test.ts',
  'packages/runtime/src/process/limits/weights.test.ts',
  'packages/runtime/src/process/limits/cpu-yield.test.ts',
];

export const isSensitiveToLoad = (file: string) => SENSITIVE_TO_LOAD.includes(file);

/** The architecture tests are left out: they are among the checks. */
export const nodeTestFiles = () => find(NODE_TESTS).filter((file) => !/^scripts\/architecture[./]/.test(file));

export const consoleTestFiles = () => find(['apps/console/src/**/*.test.{ts,tsx}']);

export const specFiles = () => find(['e2e/{demo,platform}/**/*.spec.ts']);

const find = (patterns: string[]) => globSync(patterns, { cwd: ROOT }).sort();

/** Every file that `npm test` gives to a runner. */
export const allTestFiles = () => [...nodeTestFiles(), ...consoleTestFiles(), ...specFiles()];
