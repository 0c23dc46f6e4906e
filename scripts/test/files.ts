import { globSync } from 'node:fs';
import { ROOT } from '../program.ts';

const NODE_TESTS = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/{server,gateway,cli}/{src,test}/**/*.test.ts',
  '{scripts,faults,attacks}/**/*.test.ts',
];

/** The architecture is among the checks already. */
export const nodeTestFiles = () => find(NODE_TESTS).filter((file) => !/^scripts\/architecture[./]/.test(file));

export const consoleTestFiles = () => find(['apps/console/src/**/*.test.{ts,tsx}']);

export const specFiles = () => find(['e2e/{demo,platform}/**/*.spec.ts']);

const find = (patterns: string[]) => globSync(patterns, { cwd: ROOT }).sort();

/** Every file that `npm test` gives to a runner. */
export const allTestFiles = () => [...nodeTestFiles(), ...consoleTestFiles(), ...specFiles()];
