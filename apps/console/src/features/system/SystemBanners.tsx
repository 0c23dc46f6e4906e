import { useQuery } from '@tanstack/react-query';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { systemQuery } from './queries.ts';

/** Problems of the whole installation, shown above every page. */
export function SystemBanners() {
  const { data } = useQuery(systemQuery);
  if (!data) return null;
  const { runtime_problem, recording_problem, isolated } = data;
  return (
    <>
      {runtime_problem && (
        <div className="mb-4">
          <Banner tone="error">
            <b className="font-bold">Agents cannot run on this machine.</b> {runtime_problem.reason} {runtime_problem.remedy}
          </Banner>
        </div>
      )}
      {recording_problem && (
        <div className="mb-4">
          <Banner tone="warning">
            <b className="font-bold">The audit trail is incomplete.</b> {recording_problem.reason} {recording_problem.remedy}
          </Banner>
        </div>
      )}
      {!isolated && !runtime_problem && (
        <div className="mb-4">
          <Banner tone="warning">
            <b className="font-bold">Agents run without a sandbox.</b> PADDOCK_UNSANDBOXED=1 is set, so an agent can read and change what
            this server can. Run only code that you trust.
          </Banner>
        </div>
      )}
    </>
  );
}
