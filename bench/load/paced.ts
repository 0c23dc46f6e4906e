import { startLoad } from './program.ts';

/** Milliseconds from the moment at which a request was due to the end of its answer. */
export interface Latency {
  p50: number;
  p99: number;
  max: number;
  /** Requests that took longer than 100 ms. */
  slow: number;
  count: number;
  /** By how much the load itself was late, p50: a part of the times above. */
  late: number;
}

/** Requests at a constant rate for some seconds, the hosts in turn, on connections that stay. */
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
