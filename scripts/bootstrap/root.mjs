import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's top folder, and the one in it for what the bootstrap fetches and remembers. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const RUNTIME = join(ROOT, '.runtime');
