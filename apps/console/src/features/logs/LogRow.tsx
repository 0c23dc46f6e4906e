import { type CSSProperties, memo } from 'react';
import { PageLink } from '../../navigation/links.tsx';
import type { Zone } from '../../ui/preferences/zone.ts';
import { findMatchRanges } from './log-search.ts';
import { linkSpans, markSpans, parseAnsiSpans, type Span } from './session/ansi.ts';
import type { HeldLine } from './session/log-buffer.ts';
import type { Level } from './session/log-filter.ts';
import { findTraceIds } from './session/trace-ids.ts';

const levelLook: Record<Level, [word: string, look: string]> = {
  debug: ['DEBUG', 'text-info-fg'],
  info: ['INFO', 'text-success-fg'],
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
}

/** A log line. It rerenders only if its line or the switches change, so that a text selection survives new lines. */
export const LogRow = memo(function LogRow({ deploymentId, held, zone, showTime, wrap, search, isMarked }: Props) {
  const { line, text, missing } = held;
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
          <span className="w-15 text-subtle" title={`From the ${line.source}`}>
            {line.source}
          </span>
          <span className={`w-10 ${look}`}>{word}</span>
        </span>
        <span
          className={`min-w-0 basis-full text-text sm:basis-auto ${wrap ? 'break-words whitespace-pre-wrap sm:flex-1' : 'whitespace-pre'}`}
        >
          {markSpans(linkSpans(parseAnsiSpans(line.message), findTraceIds(text)), findMatchRanges(text, search)).map((piece, index) =>
            piece.traceId ? (
              <PageLink key={index} to="/deployments/$id" params={{ id: deploymentId }} search={{ tab: 'traces', trace: piece.traceId }}>
                <Piece piece={piece} />
              </PageLink>
            ) : (
              <Piece key={index} piece={piece} />
            ),
          )}
        </span>
      </div>
    </>
  );
});

function Piece({ piece }: { piece: Span & { isMatch?: true } }) {
  const { text, isMatch } = piece;
  const style = buildSpanStyle(piece);
  if (isMatch) return <mark className="bg-accent text-on-accent">{text}</mark>;
  return style ? <span style={style}>{text}</span> : text;
}

function buildSpanStyle(span: Span): CSSProperties | null {
  const style: CSSProperties = {};
  if (span.color) style.color = span.color;
  if (span.background) style.backgroundColor = span.background;
  if (span.bold) style.fontWeight = 640;
  if (span.dim && !span.color) style.color = 'var(--muted)';
  if (span.italic) style.fontStyle = 'italic';
  const lines = [span.underline && 'underline', span.strikethrough && 'line-through'].filter(Boolean).join(' ');
  if (lines) style.textDecorationLine = lines;
  return Object.keys(style).length > 0 ? style : null;
}

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
