import type { Channel } from '@paddock/contract';
import { lazy } from 'react';
import type { ChannelWish } from './ChannelCard.tsx';
import type { WithSecret } from './use-secret-call.ts';

const DeleteChannelDialog = lazy(() => import('./DeleteChannelDialog.tsx').then((module) => ({ default: module.DeleteChannelDialog })));
const DeliveriesDrawer = lazy(() => import('./DeliveriesDrawer.tsx').then((module) => ({ default: module.DeliveriesDrawer })));
const EditChannelDialog = lazy(() => import('./EditChannelDialog.tsx').then((module) => ({ default: module.EditChannelDialog })));
const RotateSecretDialog = lazy(() => import('./RotateSecretDialog.tsx').then((module) => ({ default: module.RotateSecretDialog })));

interface Props {
  channel: Channel;
  wish: ChannelWish;
  onClose: () => void;
  onRotated: (made: WithSecret) => void;
}

/** The dialog or drawer that is open for a channel; each is loaded when first opened. */
export function ChannelDialogs({ channel, wish, onClose, onRotated }: Props) {
  if (wish === 'edit') return <EditChannelDialog channel={channel} onClose={onClose} />;
  if (wish === 'delete') return <DeleteChannelDialog channel={channel} onClose={onClose} />;
  if (wish === 'rotate') return <RotateSecretDialog channel={channel} onClose={onClose} onMade={onRotated} />;
  return <DeliveriesDrawer channel={channel} onClose={onClose} />;
}
