import { Button } from '../../ui/controls/Button.tsx';
import { Badge, type Tone } from '../../ui/feedback/Badge.tsx';
import type { GlyphName } from '../../ui/theme/Glyph.tsx';
import type { LogSnapshot } from './session/log-snapshot.ts';
import { reconnectAttempts, type StreamState } from './session/log-stream.ts';

/** Whether the log is live; changes are announced to screen readers. */
export function LogState({ snapshot, isFollowing, onRetry }: { snapshot: LogSnapshot; isFollowing: boolean; onRetry: () => void }) {
  return (
    <span role="status" className="inline-flex items-center gap-2">
      <Mark snapshot={snapshot} isFollowing={isFollowing} />
      {snapshot.state === 'lost' ? <Button onClick={onRetry}>Connect again</Button> : null}
    </span>
  );
}

const looks = {
  connecting: ['info', 'ring'],
  connected: ['success', 'disc'],
  reconnecting: ['warning', 'arc'],
  ended: ['neutral', 'square'],
  lost: ['error', 'cross'],
} as const satisfies Record<StreamState, readonly [Tone, GlyphName]>;

function Mark({ snapshot: { state, attempt }, isFollowing }: { snapshot: LogSnapshot; isFollowing: boolean }) {
  const [tone, glyph] = looks[state];
  const words: Record<StreamState, string> = {
    connecting: 'Connecting',
    connected: isFollowing ? 'Following' : 'Live',
    reconnecting: attempt > 0 ? `Reconnecting, try ${attempt} of ${reconnectAttempts}` : 'Reconnecting',
    ended: 'Ended',
    lost: 'Connection lost',
  };
  return (
    <Badge tone={tone} glyph={glyph}>
      {words[state]}
    </Badge>
  );
}
