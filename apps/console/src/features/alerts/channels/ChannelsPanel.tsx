import type { Channel } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { ChannelCard, type ChannelWish } from './ChannelCard.tsx';
import { ChannelDialogs } from './ChannelDialogs.tsx';
import { channelsQuery } from './queries.ts';
import type { WithSecret } from './use-secret-call.ts';
import { messages } from './words.ts';

const CreateChannelDialog = lazy(() => import('./CreateChannelDialog.tsx').then((module) => ({ default: module.CreateChannelDialog })));
const SecretDialog = lazy(() => import('./SecretDialog.tsx').then((module) => ({ default: module.SecretDialog })));

type Revealed = { name: string; secret: string; isRotated: boolean };

interface Props {
  /** Whether the form for a new channel is open; the page keeps this state in its address. */
  creating: boolean;
  onCreating: (open: boolean) => void;
}

/** The channels of the team, and their actions. */
export function ChannelsPanel({ creating, onCreating }: Props) {
  const [acting, setActing] = useState<{ id: string; wish: ChannelWish }>();
  /** The only copy of a secret; it is dropped when its dialog closes. */
  const [revealed, setRevealed] = useState<Revealed>();
  const channels = useQuery(channelsQuery);
  const on = channels.data?.find(({ id }) => id === acting?.id);
  const create = (
    <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => onCreating(true)}>
      New channel
    </Button>
  );
  const close = () => setActing(undefined);
  const reveal = ({ channel: { name }, secret }: WithSecret, isRotated: boolean) => {
    if (secret === null) toast.success('Channel created');
    else setRevealed({ name, secret, isRotated });
  };
  return (
    <section aria-labelledby="channels">
      <ChannelList create={create} onWish={(id, wish) => setActing({ id, wish })} />
      <Suspense fallback={null}>
        {creating && !revealed ? (
          <CreateChannelDialog
            onClose={() => onCreating(false)}
            onMade={(made) => {
              reveal(made, false);
              onCreating(false);
            }}
          />
        ) : null}
        {acting && on ? (
          <ChannelDialogs
            channel={on}
            wish={acting.wish}
            onClose={close}
            onRotated={(made) => {
              reveal(made, true);
              close();
            }}
          />
        ) : null}
        {revealed ? <SecretDialog {...revealed} onStored={() => setRevealed(undefined)} /> : null}
      </Suspense>
    </section>
  );
}

function ChannelList({ create, onWish }: { create: ReactNode; onWish: (id: string, wish: ChannelWish) => void }) {
  const query = useQuery(channelsQuery);
  const { data, error } = query;
  useEffect(() => {
    if (error) toast.error(messages.load, { id: 'channels-load' });
  }, [error]);
  const all: Channel[] = data ?? [];
  return (
    <>
      <h2 id="channels" className="mb-1 text-md font-bold">
        Channels
      </h2>
      {all.length > 0 ? (
        <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-3">
          <p className="min-w-0 max-w-text flex-1 basis-72 text-muted">
            A channel sends alerts and deployment events to a chat or to your own program. Alerts also appear under the bell above and are
            e-mailed. <Guide />
          </p>
          <div className="sm:ml-auto">{create}</div>
        </div>
      ) : null}
      <Loaded query={query} failed={failedToLoad} isSpaced skeleton={<Skeleton rows={4} />} />
      {data && all.length === 0 ? (
        <EmptyState action={create}>
          No channels yet. Create one to notify a chat such as Slack, or your own program, when an alert opens or a deployment changes.{' '}
          <Guide />
        </EmptyState>
      ) : null}
      {all.length > 0 ? (
        <ul aria-label="Channels" className="flex list-none flex-col gap-4">
          {all.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} onWish={(wish) => onWish(channel.id, wish)} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

const Guide = () => (
  <TextLink href="/docs/webhooks" target="_blank" rel="noreferrer">
    Guide to webhooks and Slack
  </TextLink>
);

function failedToLoad(error: unknown): string {
  const detail = failureText(error, '');
  return detail ? `${messages.load}: ${detail}` : `${messages.load}. Nothing was changed.`;
}
