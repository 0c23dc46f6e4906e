import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from './check.ts';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Tries the sandbox in which a server would run agents. A CLI that was installed alone has no sandbox and asks the server instead. */
export async function sandboxCheck(): Promise<Check> {
  const name = 'Sandbox';
  const runtime = await import('@paddock/runtime').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined; // the bundled CLI does not include the runtime
    throw error;
  });
  if (!runtime) return { name, state: 'notice', found: 'can be tried in a clone of Paddock only (npx paddock doctor)' };
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-doctor-'));
  try {
    const found = await runtime.probe({ dataDir, installation: 'doctor', log: quiet });
    if (!found.ok) return { name, state: 'problem', found: found.reason, remedy: `To mend it: ${found.remedy}` };
    const { warnings } = found;
    return { name, state: warnings.length ? 'notice' : 'ok', found: ['agents can run on this machine', ...warnings].join('. ') };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
