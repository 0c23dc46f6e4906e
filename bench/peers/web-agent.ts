import { join } from 'node:path';
import { freePort, startProcess } from '../measure.ts';

/** The agent behind every proxy: 200 bytes of JSON for whatever is asked, in a process of its own. */
export async function startWebAgent() {
  const port = await freePort();
  const agent = startProcess(process.execPath, [join(import.meta.dirname, 'web-agent.mjs'), `${port}`]);
  await agent.listens(port);
  return { ...agent, port };
}
