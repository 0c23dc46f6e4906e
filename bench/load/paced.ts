import { startLoad } from './program.ts';

/** Milliseconds from the time at which a request was due to the end of its response. */
export interface Latency {
  p50: number;
  p99: number;
  max: number;
  /** Requests that took longer than 100 ms. */
  slow: number;
  count: number;
  /** The load's own delay, p50. It is part of the times above. */
  late: number;
}

/** Sends requests at a constant rate for some seconds, to the hosts in turn, on kept connections. */
export async function latencyAt(
  { port }: { port: number },
  { seconds, ...load }: { hosts: string[]; perSecond: number; seconds: number; connections?: number },
): Promise<Latency> {
  const program = await startLoad<Latency>('paced.mjs', { port, connections: 32, ...load });
  try {
    return await program.ask({ seconds });
  } finally {
    await program.close();
  }
}
