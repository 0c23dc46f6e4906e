import { cpuSeconds } from '../measure.ts';
import { startLoad } from './program.ts';

interface Load {
  /** A load generator that counts for the requested time. */
  program: string;
  hosts: string[];
  connections: number;
  ms: number;
}

/** CPU milliseconds of the processes for each thousand that the load counted, without the cost of opening the connections. */
export async function cpuPerThousand({ port, pids }: { port: number; pids: number[] }, { program, ms, ...load }: Load) {
  const running = await startLoad<{ count: number; alive: number }>(program, { port, ...load });
  try {
    await running.ask({ ms: 500 });
    const before = cpuSeconds(pids);
    const { count, alive } = await running.ask({ ms });
    return { cpuMs: ((cpuSeconds(pids) - before) * 1e6) / count, alive };
  } finally {
    await running.close();
  }
}
