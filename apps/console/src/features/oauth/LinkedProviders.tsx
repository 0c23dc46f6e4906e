import type { Identity, ProviderState } from '@paddock/contract';
import { type Provider, providerNames } from '@paddock/contract/providers';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText, requestId } from '../../api/failure.ts';
import { isDemo, readSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { LinkDialog, UnlinkDialog } from './LinkDialogs.tsx';
import { identitiesQuery, providersQuery, useLink } from './queries.ts';

/** The sign-in providers, each with a button to link or unlink it. */
export function LinkedProviders() {
  const known = useQuery(providersQuery);
  const own = useQuery(identitiesQuery);
  const link = useLink();
  const [hint, setHint] = useState<string>();
  const [unlinking, setUnlinking] = useState<Provider>();
  const [linking, setLinking] = useState<Provider>();
  const error = known.error ?? own.error;
  const isLoaded = known.data !== undefined && own.data !== undefined;
  const failure = failureText(
    link.error,
    `Failed to link with ${link.variables ? providerNames[link.variables.provider] : 'the provider'}`,
  );

  const press = ({ provider, hint: how }: ProviderState) => {
    setHint(how ?? undefined);
    link.reset();
    if (how || link.isPending) return;
    const isInDemo = isDemo(readSession()?.token);
    if (own.data?.has_password && !isInDemo) return setLinking(provider);
    link.mutate(
      { provider },
      {
        onSuccess: () => isInDemo && toast.success(`${providerNames[provider]} linked. Demo data: the provider was not contacted.`),
        onError: (cause) => void toast.error(failureText(cause, `Failed to link with ${providerNames[provider]}`) ?? ''),
      },
    );
  };
  const retry = () => void Promise.all([known.refetch(), own.refetch()]);
  return (
    <Card title="Linked providers">
      {error && !isLoaded ? (
        <ErrorState message={failureText(error, 'Failed to load linked providers') ?? ''} requestId={requestId(error)} onRetry={retry} />
      ) : null}
      {error || isLoaded ? null : <Skeleton rows={5} />}
      {known.data && own.data ? (
        <ul className="flex flex-col">
          {known.data.providers.map((each) => (
            <Row
              key={each.provider}
              state={each}
              identity={own.data.identities.find(({ provider }) => provider === each.provider)}
              isOnlyWay={!own.data.has_password && own.data.identities.length === 1}
              busy={link.isPending && link.variables.provider === each.provider}
              onLink={() => press(each)}
              onUnlink={() => setUnlinking(each.provider)}
            />
          ))}
        </ul>
      ) : null}
      <div className="mt-3 flex flex-col gap-3 empty:hidden">
        {failure ? <FormError>{failure}</FormError> : null}
        <div role="status" className="wrap-anywhere">
          {hint ? <Banner>{hint}</Banner> : null}
        </div>
      </div>
      {linking ? <LinkDialog provider={linking} onClose={() => setLinking(undefined)} /> : null}
      {unlinking ? <UnlinkDialog provider={unlinking} onClose={() => setUnlinking(undefined)} /> : null}
    </Card>
  );
}

type RowProps = {
  state: ProviderState;
  identity: Identity | undefined;
  isOnlyWay: boolean;
  busy: boolean;
  onLink: () => void;
  onUnlink: () => void;
};

function Row({ state: { name, hint }, identity, isOnlyWay, busy, onLink, onUnlink }: RowProps) {
  const unlinked = hint ? 'Not configured here' : 'Not linked';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-border py-2 first:border-t-0">
      <div className="min-w-0 grow basis-48">
        <p className="text-base font-semibold">{name}</p>
        <p className="text-sm break-words text-muted">
          {identity ? (
            <>
              {identity.email} · used <Timestamp at={identity.last_used_at} />
            </>
          ) : (
            unlinked
          )}
        </p>
      </div>
      {identity && isOnlyWay ? <p className="text-sm text-muted">Your only sign-in method</p> : null}
      {identity && !isOnlyWay ? (
        <Button onClick={onUnlink} aria-label={`Unlink ${name}`}>
          Unlink
        </Button>
      ) : null}
      {identity ? null : (
        <Button variant={hint ? 'ghost' : 'secondary'} busy={busy} onClick={onLink} aria-label={`Link ${name}`}>
          Link
        </Button>
      )}
    </li>
  );
}
