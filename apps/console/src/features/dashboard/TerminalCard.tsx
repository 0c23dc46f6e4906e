import { isDemo, useSession } from '../../app/session.ts';
import { Card } from '../../ui/Card.tsx';
import { CodeSample } from '../../ui/CodeSample.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { curlLine } from '../deployments/curl-line.ts';

/** The same from a terminal. The token is never shown; it is copied only on request. */
export function TerminalCard({ projectId }: { projectId: string | undefined }) {
  const token = useSession()?.token;
  return (
    <Card title="Deploy from a terminal">
      <CodeSample code={curlLine(projectId)} label="Command that deploys agent.zip" />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
        {token && !isDemo(token) ? (
          <>
            <CopyButton text={curlLine(projectId, token)} label="Copy with my token: the command that deploys" word="Copy with my token" />
            <span className="min-w-0 flex-1 basis-60">
              Your token acts for you until you sign out. Keep it out of scripts that others read.
            </span>
          </>
        ) : (
          <span>PADDOCK_TOKEN is the token of your session.</span>
        )}
      </div>
    </Card>
  );
}
