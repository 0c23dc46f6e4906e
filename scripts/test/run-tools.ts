import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Downloading package managers and uv takes seconds, and each data directory has its own copy. Under `npm test` all data directories share
 * one folder of them, which the product fills at first use. A test file that is run by hand downloads what it uses.
 */
export function linkRunTools(dataDir: string): void {
  const { PADDOCK_TEST_TOOLS: shared } = process.env;
  if (!shared) return;
  mkdirSync(shared, { recursive: true, mode: 0o755 });
  symlinkSync(shared, join(dataDir, 'tools'));
}
