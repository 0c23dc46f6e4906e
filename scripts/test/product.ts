import { join } from 'node:path';

const source = {
  server: join(import.meta.dirname, '../../apps/server/src/main.ts'),
  gateway: join(import.meta.dirname, '../../apps/gateway/src/main.ts'),
};

/**
 * What tests start as the server or the gateway: the built product, as `npm start` does, where `npm test` or `npm run bench` has built it; the source for a
 * test file that is run by itself. With `execArgv` it is the one in which failpoints are code.
 */
export function programOf(part: keyof typeof source, execArgv: readonly string[] = []): string {
  const { PADDOCK_TEST_PRODUCT: built } = process.env;
  if (!built) return source[part];
  return join(execArgv.length === 0 ? built : `${built}-failpoints`, `apps/${part}/src/main.mjs`);
}
