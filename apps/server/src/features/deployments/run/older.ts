import type { NewestFailed } from '../leases.ts';
import { fail, type Run } from './parts.ts';

// The newest versions of packages may install, and not work together or with the source. Then those of the archive's own day are tried, once.

/** Gives the deployment back, to be built with the versions of the archive's day. */
export async function buildOlder({ parts, d, out }: Run, why: NewestFailed): Promise<void> {
  const text = `The agent did not start with the newest versions of its packages: ${why.error} It is built again with those of ${why.date}, the newest date in the archive.`;
  out.write('platform', 'warning', text);
  await out.flush();
  await parts.transitions.buildOlder(d, { ...why, error: await out.masked(why.error), message: await out.masked(why.message) });
}

/** Ends the deployment: after a try with older versions, the first failure is what to mend. */
export async function failOlder(run: Run, stage: 'building' | 'deploying', message: string): Promise<void> {
  const first = run.d.newest_failed;
  if (first === null) return await fail(run, stage, message);
  run.out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  const [head, ...lines] = first.message.split('\n\nLast lines:');
  const tried = `${head} The versions of ${first.date}, the newest date in the archive, were tried, too, and failed.`;
  await fail(run, stage, [tried, ...lines].join('\n\nLast lines:'));
}
