import { join } from 'node:path';
import { freePort, startProcess } from '../measure.ts';

/** The agent behind every proxy: 200 bytes of JSON for any request, 64 kB at /large, on the given number of ports. */
export async function startWebAgent(places = 1) {
  const ports = await freePorts(places);
  const agent = startProcess(process.execPath, [join(import.meta.dirname, 'web-agent.mjs'), ...ports.map(String)]);
  await agent.listens(ports.at(-1)!);
  return { ...agent, ports };
}

/** An agent that sends an event on each open stream every `everyMs`, and echoes WebSocket messages. */
export async function startLiveAgent({ places, everyMs }: { places: number; everyMs: number }) {
  const ports = await freePorts(places);
  const agent = startProcess(process.execPath, [join(import.meta.dirname, 'live-agent.mjs'), `${everyMs}`, ...ports.map(String)]);
  await agent.listens(ports.at(-1)!);
  return { ...agent, ports };
}

export type Agent = Awaited<ReturnType<typeof startWebAgent>>;

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
