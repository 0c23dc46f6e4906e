import type { ChannelEvent } from '@paddock/contract';
import { Checkbox } from '../../../ui/controls/Checkbox.tsx';
import { eventWords, everyEvent } from './words.ts';

interface Props {
  events: readonly ChannelEvent[];
  onChange: (events: ChannelEvent[]) => void;
  /** The server's validation error for the choice. */
  error: string | undefined;
}

/** The events that are sent to a channel, one by one. */
export function EventFields({ events, onChange, error }: Props) {
  const toggle = (event: ChannelEvent, on: boolean) => onChange(everyEvent.filter((each) => (each === event ? on : events.includes(each))));
  const problem = error ?? (events.length === 0 ? 'Choose at least one event. Without one, nothing is sent.' : '');
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-semibold">Notify the channel when</legend>
      {everyEvent.map((event) => (
        <Checkbox
          key={event}
          label={eventWords[event]}
          checked={events.includes(event)}
          onChange={(change) => toggle(event, change.target.checked)}
        />
      ))}
      <p role="status" className="text-sm text-error-fg">
        {problem}
      </p>
    </fieldset>
  );
}
