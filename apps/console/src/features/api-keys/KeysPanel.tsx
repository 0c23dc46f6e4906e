import type { ApiKey, CreatedKey } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { createLine } from './curl-lines.ts';
import { KeyCard } from './KeyCard.tsx';
import { messages } from './messages.ts';
import { apiKeysQuery } from './queries.ts';

const CreateKeyDialog = lazy(() => import('./CreateKeyDialog.tsx').then((module) => ({ default: module.CreateKeyDialog })));
const RevealDialog = lazy(() => import('./RevealDialog.tsx').then((module) => ({ default: module.RevealDialog })));
const RevokeDialog = lazy(() => import('./RevokeDialog.tsx').then((module) => ({ default: module.RevokeDialog })));
const RotateDialog = lazy(() => import('./RotateDialog.tsx').then((module) => ({ default: module.RotateDialog })));

/** Number of ended keys shown initially. */
const endedShown = 6;

type Act = { on: ApiKey; action: 'revoke' | 'rotate' };

interface Props {
  /** Whether the form for a new key is open; the page keeps this state in its address. */
  creating: boolean;
  onCreating: (open: boolean) => void;
}

/** The API keys of the team and their actions. Used on the page of API keys and in the settings. */
export function KeysPanel({ creating, onCreating }: Props) {
  const keys = useQuery(apiKeysQuery);
  const [acting, setActing] = useState<Act>();
  /** The only copy of the new secret; it is dropped when its dialog closes. */
  const [made, setMade] = useState<CreatedKey>();
  useEffect(() => {
    if (keys.error) toast.error(messages.load, { id: 'api-keys-load' });
  }, [keys.error]);

  const all = keys.data ?? [];
  const active = all.filter(({ is_active }) => is_active);
  const ended = all.filter(({ is_active }) => !is_active);
  const create = (
    <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => onCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-3">
        <p className="min-w-0 max-w-text flex-1 basis-72 text-muted">
          An API key lets a script, a pipeline or the command line act on your behalf, within its scopes. For the scope that each call
          needs, see the{' '}
          <TextLink href="/docs/scopes" target="_blank" rel="noreferrer">
            list of scopes
          </TextLink>
          .
        </p>
        {all.length > 0 ? <div className="sm:ml-auto">{create}</div> : null}
      </div>
      <Loaded query={keys} failed={failedToLoad} isSpaced skeleton={<Skeleton kind="cards" rows={4} />} />
      {keys.data && all.length === 0 ? (
        <EmptyState action={create} command={createLine()}>
          No API keys yet. Create one to let a program deploy and read without your password.
        </EmptyState>
      ) : null}
      {all.length > 0 && active.length === 0 ? <p className="mb-4 text-muted">No active keys.</p> : null}
      <KeyCards keys={active} onAct={setActing} />
      {ended.length > 0 ? <EndedKeys keys={ended} onAct={setActing} /> : null}
      <Suspense fallback={null}>
        {creating && !made ? (
          <CreateKeyDialog
            onClose={() => onCreating(false)}
            onMade={(created) => {
              setMade(created);
              onCreating(false);
            }}
          />
        ) : null}
        {acting?.action === 'revoke' ? <RevokeDialog apiKey={acting.on} onClose={() => setActing(undefined)} /> : null}
        {acting?.action === 'rotate' ? (
          <RotateDialog
            apiKey={acting.on}
            onClose={() => setActing(undefined)}
            onMade={(created) => {
              setMade(created);
              setActing(undefined);
            }}
          />
        ) : null}
        {made ? <RevealDialog created={made} onStored={() => setMade(undefined)} /> : null}
      </Suspense>
    </>
  );
}

function failedToLoad(error: unknown): string {
  const detail = failureText(error, '');
  return detail ? `${messages.load}: ${detail}` : `${messages.load}. Nothing was changed.`;
}

type CardsProps = { keys: readonly ApiKey[]; onAct: (act: Act) => void };

const KeyCards = ({ keys, onAct }: CardsProps) => (
  <ul className="grid list-none gap-4 lg:grid-cols-2">
    {keys.map((key) => (
      <KeyCard
        key={key.id}
        apiKey={key}
        onRotate={() => onAct({ on: key, action: 'rotate' })}
        onRevoke={() => onAct({ on: key, action: 'revoke' })}
      />
    ))}
  </ul>
);

/** Revoked and expired keys: the first few, or all on request. */
function EndedKeys({ keys, onAct }: CardsProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section aria-labelledby="ended-keys" className="mt-6">
      <h2 id="ended-keys" className="mb-3 text-md font-bold">
        Revoked and expired
      </h2>
      <KeyCards keys={showsAll ? keys : keys.slice(0, endedShown)} onAct={onAct} />
      {!showsAll && keys.length > endedShown ? (
        <div className="mt-3">
          <Button onClick={() => setShowsAll(true)}>Show all {keys.length.toLocaleString('en')}</Button>
        </div>
      ) : null}
    </section>
  );
}
