import { memo } from 'react';
import type { Zone } from '../../ui/preferences/zone.ts';
import { LogText } from './LogText.tsx';
import type { HeldLine } from './session/log-buffer.ts';
import type { Level } from './session/log-filter.ts';

const levelLook: Record<Level, [word: string, look: string]> = {
  debug: ['DEBUG', 'text-info-fg'],
  info: ['INFO', 'text-subtle'],
  warning: ['WARN', 'text-warning-fg'],
  error: ['ERROR', 'text-error-fg'],
};

interface Props {
  deploymentId: string;
  held: HeldLine;
  zone: Zone;
  showTime: boolean;
  wrap: boolean;
  search: string;
  /** The current match of next and previous, or the line named in the address. */
  isMarked: boolean;
  /** A JSON line is shown with one field in each line. */
  isUnfolded: boolean;
}

/** A log line. It rerenders only if its line or the switches change, so that a text selection survives new lines. */
export const LogRow = memo(function LogRow({ deploymentId, held, zone, showTime, wrap, search, isMarked, isUnfolded }: Props) {
  const { line, missing } = held;
  const [word, look] = levelLook[line.level];
  return (
    <>
      {missing > 0 ? (
        <p className="border-y border-border bg-warning-bg px-3 text-warning-fg">{missing.toLocaleString('en')} lines are missing here</p>
      ) : null}
      <div
        className={`flex min-h-5 flex-wrap items-start border-l-2 pr-2 pl-2 sm:flex-nowrap ${isMarked ? 'border-accent bg-accent-soft' : 'border-transparent hover:bg-canvas'}`}
      >
        <span className="flex shrink-0 items-start gap-2.5 pr-2.5 select-none">
          <span data-line={line.number} className="min-w-9 cursor-pointer text-right text-subtle hover:text-text hover:underline">
            {line.number}
          </span>
          {showTime ? (
            <time dateTime={line.created_at} className="text-subtle">
              {clock(line.created_at, zone)}
            </time>
          ) : null}
          <span className="w-17 text-subtle" title={`From the ${line.source}`}>
            {line.source}
          </span>
          <span className={`w-10 ${look}`}>{word}</span>
        </span>
        <span
          className={`min-w-0 basis-full text-text sm:basis-auto ${wrap ? 'break-words whitespace-pre-wrap sm:flex-1' : 'whitespace-pre'}`}
        >
          <LogText deploymentId={deploymentId} held={held} search={search} isUnfolded={isUnfolded} />
        </span>
      </div>
    </>
  );
});

const clocks = Object.fromEntries(
  (['local', 'utc'] as const).map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
    }),
  ]),
) as Record<Zone, Intl.DateTimeFormat>;
const clock = (at: string, zone: Zone) => clocks[zone].format(Date.parse(at));
