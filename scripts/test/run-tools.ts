import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Package managers and uv take seconds to fetch, and each data directory has its own. Under `npm test` all data directories share one folder of them, which
 * the product fills at the first use. A test file that is run by hand fetches what it uses.
 */
export function linkRunTools(dataDir: string): void {
  const { PADDOCK_TEST_TOOLS: shared } = process.env;
  if (!shared) return;
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  symlinkSync(shared, join(dataDir, 'tools'));
}
