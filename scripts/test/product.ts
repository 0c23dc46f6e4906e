import { join } from 'node:path';

const source = {
  server: join(import.meta.dirname, '../../apps/server/src/main.ts'),
  gateway: join(import.meta.dirname, '../../apps/gateway/src/main.ts'),
};

/**
 * What tests start as the server or the gateway: the built product, as `npm start` does, where `npm test` or `npm run bench` has built it; the source for a
 * test file that is run by itself, and with `execArgv`, since failpoints are set in the source.
 */
export function programOf(part: keyof typeof source, execArgv: readonly string[] = []): string {
  const { PADDOCK_TEST_PRODUCT: built } = process.env;
  return built && execArgv.length === 0 ? join(built, `apps/${part}/src/main.mjs`) : source[part];
}
