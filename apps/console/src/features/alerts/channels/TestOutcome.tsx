import type { ChannelTest } from '@paddock/contract';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { AnswerText } from './AnswerText.tsx';

/** The result of a test delivery, announced to screen readers when it arrives. */
export function TestOutcome({ outcome }: { outcome: ChannelTest | undefined }) {
  return <div role="status">{outcome ? <Outcome outcome={outcome} /> : null}</div>;
}

function Outcome({ outcome: { is_delivered, status, duration_ms, answer, error } }: { outcome: ChannelTest }) {
  const took = `${duration_ms.toLocaleString('en')} ms`;
  return (
    <div className="mt-3 border-t border-border pt-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {is_delivered ? (
          <Badge tone="success" glyph="tick">
            Test delivered
          </Badge>
        ) : (
          <Badge tone="error" glyph="cross">
            Test not delivered
          </Badge>
        )}
        <span className="text-muted">{status === null ? `No answer, after ${took}` : `Status ${status}, after ${took}`}</span>
      </p>
      {error === null ? null : <p className="mt-1 break-words text-error-fg">{error}</p>}
      <AnswerText text={answer} />
    </div>
  );
}
