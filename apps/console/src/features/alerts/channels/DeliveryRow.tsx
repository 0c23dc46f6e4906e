import type { ChannelDelivery } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteTime } from '../../../ui/text/time.ts';
import { AnswerText } from './AnswerText.tsx';
import { useRetryDelivery } from './queries.ts';
import { deliveryLook, eventWord, messages } from './words.ts';

interface Props {
  channelId: string;
  delivery: ChannelDelivery;
  /** False for a channel that is off, which sends nothing. */
  canRetry: boolean;
}

export function DeliveryRow({ channelId, delivery, canRetry }: Props) {
  const { id, event, status, response_text, error, created_at } = delivery;
  const retry = useRetryDelivery(channelId);
  const zone = useZone();
  const look = deliveryLook(status);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-border px-3 py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base">
          <span className="font-semibold">{eventWord(event)}</span>
          <Badge tone={look.tone} glyph={look.glyph}>
            {look.word}
          </Badge>
        </p>
        <Times delivery={delivery} />
        {error === null ? null : <p className="mt-1 break-words text-error-fg">{error}</p>}
        <AnswerText text={response_text} />
        <FormError>{failureText(retry.error, messages.retry)}</FormError>
      </div>
      {canRetry && status !== 'delivered' ? (
        <Button
          busy={retry.isPending}
          onClick={() => retry.mutate(id)}
          aria-label={`Retry ${eventWord(event)} of ${absoluteTime(Date.parse(created_at), zone)}`}
        >
          Retry
        </Button>
      ) : null}
    </li>
  );
}

/** The time of the event, the number of attempts, and the next attempt. */
function Times({ delivery: { attempts, response_status, created_at, delivered_at, next_attempt_at } }: Pick<Props, 'delivery'>) {
  return (
    <p className="text-muted">
      <Timestamp at={created_at} />, {plural(attempts, 'attempt')}
      {response_status === null ? null : `, status ${response_status}`}
      {delivered_at === null ? null : (
        <>
          , delivered <Timestamp at={delivered_at} />
        </>
      )}
      {next_attempt_at === null ? null : (
        <>
          , next attempt <Timestamp at={next_attempt_at} />
        </>
      )}
    </p>
  );
}
