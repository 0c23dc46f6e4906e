import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import type { LogSnapshot } from './log-session.ts';
import { reconnectAttempts } from './log-stream.ts';

/** Whether lines still come in; read out when it changes. */
export function LogState({ snapshot, isFollowing, onRetry }: { snapshot: LogSnapshot; isFollowing: boolean; onRetry: () => void }) {
  return (
    <span role="status" className="inline-flex items-center gap-2">
      <Mark snapshot={snapshot} isFollowing={isFollowing} />
      {snapshot.state === 'lost' ? <Button onClick={onRetry}>Connect again</Button> : null}
    </span>
  );
}

function Mark({ snapshot: { state, attempt }, isFollowing }: { snapshot: LogSnapshot; isFollowing: boolean }) {
  switch (state) {
    case 'connecting':
      return (
        <Badge tone="info" glyph="ring">
          Connecting
        </Badge>
      );
    case 'connected':
      return (
        <Badge tone="success" glyph="disc">
          {isFollowing ? 'Following' : 'Live'}
        </Badge>
      );
    case 'reconnecting':
      return (
        <Badge tone="warning" glyph="arc">
          {attempt > 0 ? `Reconnecting, try ${attempt} of ${reconnectAttempts}` : 'Reconnecting'}
        </Badge>
      );
    case 'ended':
      return (
        <Badge tone="neutral" glyph="square">
          Ended
        </Badge>
      );
    case 'lost':
      return (
        <Badge tone="error" glyph="cross">
          Connection lost
        </Badge>
      );
  }
}
