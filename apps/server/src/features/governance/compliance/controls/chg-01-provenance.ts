import { plural } from '@paddock/contract/plural';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps, LiveDeployment } from '../control-deps.ts';
import { failed, passed, unverified, unverifiedResult } from '../finding.ts';

/** Bytes of archives read per run, to limit the load on the disk; the newest deployments come first. */
const maxBytes = 512 * 1024 ** 2;

/** CHG-01: each running deployment has a known archive, a known author, and a known predecessor. */
export const provenanceControl = ({ liveProvenance, blobs }: Pick<ControlDeps, 'liveProvenance' | 'blobs'>): Control => ({
  id: 'CHG-01',
  of: 'team',
  async check(team_id, signal) {
    const live = await liveProvenance(team_id);
    if (live.length > 0 && !(await blobs.storeExists()))
      return unverifiedResult(
        plural(live.length, 'live deployment'),
        'The folder of uploaded archives is not there, so no digest can be compared.',
      );
    let left = maxBytes;
    let compared = 0;
    const resources: ControlFinding[] = [];
    for (const one of live) {
      signal.throwIfAborted();
      const isRead = one.sha256 !== null && one.source_bytes <= left;
      if (isRead) left -= one.source_bytes;
      compared += Number(isRead);
      resources.push(await judge(one, isRead, { blobs, signal }));
    }
    const looked_at = `${plural(live.length, 'live deployment')}: digest, actor, time and predecessor of each; ${plural(compared, 'stored archive')} read and compared with the digest of the upload`;
    return { looked_at, absence: 'No deployment is live.', resources };
  },
});

async function judge(
  one: LiveDeployment,
  isRead: boolean,
  { blobs, signal }: Pick<ControlDeps, 'blobs'> & { signal: AbortSignal },
): Promise<ControlFinding> {
  const subject = { type: 'deployment', id: one.deployment_id, name: `${one.project_name} (${one.environment})` };
  const path = `/deployments/${one.deployment_id}`;
  const { source_blob, ...provenance } = one;
  const evidence = { ...provenance };
  if (one.sha256 === null)
    return failed(
      subject,
      `The archive of ${subject.name} was uploaded before Paddock kept digests, so nobody can prove which code runs.`,
      {
        evidence,
        fix: { text: 'Redeploy it: the new deployment gets the digest of the stored archive.', path },
      },
    );
  if (!(await blobs.exists(source_blob)))
    return failed(
      subject,
      `The archive that ${subject.name} was built from is no longer stored, so it cannot be examined or rolled back to.`,
      {
        evidence,
        fix: { text: 'Deploy the code again from its repository.', path },
      },
    );
  if (!isRead)
    return unverified(
      subject,
      `The archive of ${subject.name} was not read: the archives of newer deployments took the time of this run.`,
      {
        evidence,
        fix: { text: 'Deploy smaller archives, or stop deployments that nobody needs.', path: '/deployments' },
      },
    );
  const now = await blobs.digest(source_blob, signal);
  if (now !== one.sha256)
    return failed(
      subject,
      `The stored archive of ${subject.name} is not the one that was uploaded: its SHA-256 is ${now.slice(0, 12)}…, not ${one.sha256.slice(0, 12)}….`,
      {
        evidence: { ...evidence, sha256_now: now },
        fix: { text: 'Find out who changed the folder of archives, then deploy the code again from its repository.', path },
      },
    );
  const before = one.predecessor ? `after ${one.predecessor.id}` : 'as the first of its environment';
  return passed(
    subject,
    `Archive ${one.sha256.slice(0, 12)}…, deployed by ${one.actor.name ?? one.actor.id} at ${one.created_at}, ${before}.`,
    evidence,
  );
}
