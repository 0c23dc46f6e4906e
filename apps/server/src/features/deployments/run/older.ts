import type { Artifact } from '@paddock/builder';
import type { NewestFailed } from '../leases.ts';
import { belowBroken } from './broken-package.ts';
import { knownBreak } from './known-breaks.ts';
import { type Failure, failDeployment, type RunContext } from './worker-deps.ts';

// The newest versions of packages may install but not work together or with the source. Then the versions of the archive's own date are
// tried, once; without a date, those below the version of the broken package.

type Older = Pick<NewestFailed, 'date' | 'below'>;

/** The versions to install instead of those that ended a start; undefined if there are none. */
export function olderThan(tail: string[], artifact: Artifact): Older | undefined {
  const known = knownBreak(tail, artifact);
  if (known !== undefined && (artifact.newest_until !== undefined || artifact.is_unlocked === true)) return { below: known };
  if (artifact.newest_until !== undefined) return { date: artifact.newest_until };
  const below = artifact.is_unlocked ? belowBroken(tail, artifact) : undefined;
  return below === undefined ? undefined : { below };
}

/** Describes the versions installed instead of the newest. */
export const insteadText = ({ date, below }: Older): string =>
  below === undefined ? `the versions of ${date}, the newest date in the archive` : below;

/** Releases the deployment, to be built with the versions of the archive's date. */
export async function buildOlder({ parts, d, out }: RunContext, why: NewestFailed): Promise<void> {
  const text = `The agent did not start with the newest versions of its packages: ${why.error} It is built again with ${insteadText(why)}.`;
  out.write('platform', 'warning', text);
  await out.flush();
  await parts.transitions.buildOlder(d, { ...why, error: await out.masked(why.error), message: await out.masked(why.message) });
}

/** Fails the deployment: after an attempt with older versions, the first failure is the one to report. */
export async function failOlder(run: RunContext, stage: 'building' | 'deploying', failure: Failure): Promise<void> {
  const { message, choices = [] } = failure;
  const first = run.d.newest_failed;
  if (first === null) return await failDeployment(run, stage, failure);
  run.out.write('platform', 'error', message.split('\n\nLast lines:')[0]!);
  const [head, ...lines] = first.message.split('\n\nLast lines:');
  const older = first.below === undefined ? `The versions of ${first.date}, the newest date in the archive, were` : `${first.below} was`;
  const tried = `${head} ${older} tried, too, and failed.`;
  await failDeployment(run, stage, { message: [tried, ...lines].join('\n\nLast lines:'), choices });
}
