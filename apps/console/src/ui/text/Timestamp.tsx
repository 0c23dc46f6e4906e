import { Tooltip } from '../controls/Tooltip.tsx';
import { useZone } from '../preferences/zone.ts';
import { absoluteTime, relativeTime, useNow } from './time.ts';

/** A relative time, with the absolute time and its zone on hover and focus. Takes an ISO 8601 string. */
export function Timestamp({ at }: { at: string }) {
  const now = useNow();
  const zone = useZone();
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) return <span>–</span>;
  return (
    <Tooltip text={absoluteTime(moment, zone)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the absolute time must be reachable by keyboard too */}
      <time dateTime={at} tabIndex={0} className="rounded-control whitespace-nowrap">
        {relativeTime(moment, now)}
      </time>
    </Tooltip>
  );
}
