import { isDemo, useSession } from '../../api/session.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { CodeSample } from '../../ui/text/CodeSample.tsx';
import { curlLine, sampleProject } from '../deployments/deploy/curl-line.ts';

/** Deploying from a terminal, with the command-line tool or with curl. The token is never shown; it is copied only on request. */
export function TerminalCard() {
  const token = useSession()?.token;
  return (
    <Card title="Deploy from a terminal">
      <CodeSample code="paddock deploy" label="Command that deploys the current folder" />
      <p className="mt-2 text-sm text-muted">
        Uploads the current folder, follows the build and prints the address.{' '}
        <TextLink href="/docs/cli" target="_blank" rel="noreferrer">
          Install the CLI
        </TextLink>{' '}
        and log in once with <code className="font-mono text-mono break-all">paddock login --url {location.origin}</code>
      </p>
      <details className="mt-3 text-sm text-muted">
        <summary className="cursor-pointer">With curl alone</summary>
        <div className="mt-2">
          <CodeSample code={curlLine()} label="Command that deploys agent.zip" />
        </div>
        <p className="mt-2">
          Deploys to the project <code className="font-mono text-mono">{sampleProject}</code>, which is created if it does not exist.
          Replace it with the name of your project.
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          {token && !isDemo(token) ? (
            <>
              <CopyButton text={curlLine(token)} label="Copy with my token: the command that deploys" word="Copy with my token" />
              <span className="min-w-0 flex-1 basis-60">
                Your token acts on your behalf until you sign out. Keep it out of scripts that others can read.
              </span>
            </>
          ) : (
            <span>PADDOCK_TOKEN is your session token.</span>
          )}
        </div>
      </details>
    </Card>
  );
}
