import type { Channel } from '@paddock/contract';
import { Ellipsis, KeyRound, PenLine, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Menu } from '../../../ui/overlays/Menu.tsx';
import { dangerous } from '../../../ui/overlays/menu-item.ts';
import { SteadyWord } from '../../../ui/text/SteadyWord.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { LastDelivery } from './LastDelivery.tsx';
import { useSwitchChannel, useTestChannel } from './queries.ts';
import { TestOutcome } from './TestOutcome.tsx';
import { channelLook, eventWord, messages, typeWords } from './words.ts';

/** Actions on a channel that open a dialog or a drawer. */
export type ChannelWish = 'edit' | 'rotate' | 'delete' | 'deliveries';

interface Props {
  channel: Channel;
  onWish: (wish: ChannelWish) => void;
}

/** Card of a channel. Content that changes after a press is below the buttons, so that no button moves. */
export function ChannelCard({ channel, onWish }: Props) {
  const { id, name, type, url, events, is_active, off_reason, last_delivery } = channel;
  const test = useTestChannel();
  const turn = useSwitchChannel();
  const look = channelLook(channel);
  return (
    <li aria-labelledby={`${id}-name`} className="min-w-0 rounded-box border border-border bg-surface p-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h3 id={`${id}-name`} className="min-w-0 text-md font-bold wrap-anywhere">
          {name}
        </h3>
        <span className="rounded-control border border-border-strong px-1.5 text-xs font-semibold text-muted">{typeWords[type]}</span>
        <Badge tone={look.tone} glyph={look.glyph}>
          {look.word}
        </Badge>
        <div className="flex flex-wrap items-center gap-2 sm:ml-auto sm:justify-end">
          <Button busy={test.isPending} onClick={() => test.mutate(id)} aria-label={`Send a test to ${name}`}>
            Send a test
          </Button>
          <Button onClick={() => onWish('deliveries')} aria-label={`Deliveries of ${name}`}>
            Deliveries
          </Button>
          <Button
            busy={turn.isPending}
            onClick={() => turn.mutate({ id, is_active: !is_active })}
            aria-label={`${is_active ? 'Switch off' : 'Switch on'} ${name}`}
          >
            <SteadyWord word={is_active ? 'Switch off' : 'Switch on'} widest="Switch off" />
          </Button>
          <ChannelMenu channel={channel} onWish={onWish} />
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {is_active ? null : (
          <Fact name="Off">{off_reason === null ? 'Switched off by a person.' : `Switched off by Paddock: ${off_reason}`}</Fact>
        )}
        <Fact name="Address">
          <span className="font-mono text-mono break-all">{url}</span>
        </Fact>
        <Fact name="Events">{events.map(eventWord).join(', ')}</Fact>
        <Fact name="Last delivery">{last_delivery ? <LastDelivery delivery={last_delivery} /> : 'Nothing sent yet'}</Fact>
      </dl>
      <TestOutcome outcome={test.data} />
      <FormError>{failureText(test.error, messages.test) ?? failureText(turn.error, messages.change)}</FormError>
    </li>
  );
}

const ChannelMenu = ({ channel: { name, type }, onWish }: Props) => (
  <Menu
    label={`Actions for ${name}`}
    groups={[
      [
        { label: 'Edit', icon: PenLine, onSelect: () => onWish('edit') },
        ...(type === 'webhook' ? [{ label: 'Rotate secret', icon: KeyRound, onSelect: () => onWish('rotate') }] : []),
      ],
      dangerous([{ label: 'Delete', icon: Trash2, onSelect: () => onWish('delete') }]),
    ]}
  >
    <Icon of={Ellipsis} />
  </Menu>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
);
