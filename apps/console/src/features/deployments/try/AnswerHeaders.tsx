import type { TryHead } from '@paddock/contract';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';

type Props = Pick<TryHead, 'headers'> & { requestId: string | undefined };

/** The response headers, and the request id used in the gateway's log and by the agent. */
export function AnswerHeaders({ headers, requestId }: Props) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      {requestId ? (
        <p className="flex min-w-0 items-center gap-1 text-muted">
          <span className="min-w-0">
            Request <span className="font-mono text-mono break-all">{requestId}</span>
          </span>
          <CopyButton text={requestId} label="Copy request id" />
        </p>
      ) : null}
      <details>
        <summary className="font-semibold text-muted">Response headers: {headers.length}</summary>
        <dl className="mt-1 flex flex-col gap-1 font-mono text-mono">
          {headers.map(({ name, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times, and the list never changes
            <div key={index} className="min-w-0">
              <dt className="inline font-semibold">{name}: </dt>
              <dd className="inline break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
