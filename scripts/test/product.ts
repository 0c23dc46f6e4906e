import { join } from 'node:path';

const source = {
  server: join(import.meta.dirname, '../../apps/server/src/main.ts'),
  gateway: join(import.meta.dirname, '../../apps/gateway/src/main.ts'),
};

/**
 * The program that tests start as server or gateway. After a build by `npm test` or `npm run bench` it is the built product, as with
 * `npm start`; for a test file that is run by hand it is the source. With `execArgv` it is the build in which failpoints are code.
 */
export function programOf(part: keyof typeof source, execArgv: readonly string[] = []): string {
  const { PADDOCK_TEST_PRODUCT: built } = process.env;
  if (!built) return source[part];
  return join(execArgv.length === 0 ? built : `${built}-failpoints`, `apps/${part}/src/main.mjs`);
}

/** The command-line tool: its published form after a build by `npm test`, as `programOf`. */
export const toolProgram = (): string =>
  join(import.meta.dirname, '../../apps/cli', process.env.PADDOCK_TEST_PRODUCT ? 'dist/paddock.mjs' : 'src/main.ts');
