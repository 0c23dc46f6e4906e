import type { ApiKey } from '@paddock/contract';
import type { ReactNode } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Badge } from '../../ui/feedback/Badge.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { scopesSummary } from './presets.ts';

interface Props {
  apiKey: ApiKey;
  onRotate: () => void;
  onRevoke: () => void;
}

export function KeyCard({ apiKey, onRotate, onRevoke }: Props) {
  const { id, name, key_prefix, key_suffix, is_test_key, scopes, is_active, revoked_at } = apiKey;
  const { created_at, created_by, last_used_at, last_used_ip, total_requests, rate_limit } = apiKey;
  return (
    <li aria-labelledby={`${id}-name`} className="flex min-w-0 flex-col rounded-box border border-border bg-surface p-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 id={`${id}-name`} className="min-w-0 text-md font-bold wrap-anywhere">
          {name}
        </h3>
        <span className="rounded-control border border-border-strong px-1.5 text-xs font-semibold text-muted">
          {is_test_key ? 'Test' : 'Live'}
        </span>
        <span className="ml-auto">
          {is_active ? (
            <Badge tone="success" glyph="disc">
              Active
            </Badge>
          ) : (
            <Badge tone="neutral" glyph="square">
              {revoked_at ? 'Revoked' : 'Expired'}
            </Badge>
          )}
        </span>
      </div>
      <p className="mt-1 font-mono text-mono break-all text-subtle">
        {key_prefix}…<b className="font-bold text-text">{key_suffix}</b>
      </p>
      <p className="mt-2 text-base">{scopesSummary(scopes)}</p>
      <dl className="mt-2 mb-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm">
        <Fact name="Created">
          <Timestamp at={created_at} /> by {created_by}
        </Fact>
        <Fact name="Last used">
          {last_used_at ? (
            <>
              <Timestamp at={last_used_at} />
              {last_used_ip ? <> from {last_used_ip}</> : null}
            </>
          ) : (
            'Never'
          )}
        </Fact>
        <Fact name="Requests">
          {total_requests.toLocaleString('en')} in total, at most {rate_limit.toLocaleString('en')} per minute
        </Fact>
        <End apiKey={apiKey} />
      </dl>
      {revoked_at ? null : (
        <div className="mt-auto flex flex-wrap gap-2 border-t border-border pt-3">
          <Button onClick={onRotate} aria-label={`Rotate ${name}`}>
            Rotate
          </Button>
          <Button variant="danger" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        </div>
      )}
    </li>
  );
}

/** When the key ended or will end. */
function End({ apiKey: { is_active, revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at)
    return (
      <Fact name="Revoked">
        <Timestamp at={revoked_at} />
      </Fact>
    );
  if (!expires_at) return <Fact name="Expires">Never</Fact>;
  return (
    <Fact name={is_active ? 'Expires' : 'Expired'}>
      <Timestamp at={expires_at} />
    </Fact>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
);
