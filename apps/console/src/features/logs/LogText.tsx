import type { CSSProperties } from 'react';
import { PageLink } from '../../navigation/links.tsx';
import { findMatchRanges } from './log-search.ts';
import { linkSpans, markSpans, parseAnsiSpans, type Span } from './session/ansi.ts';
import type { HeldLine } from './session/log-buffer.ts';
import { parseJsonLine } from './session/parse-json-line.ts';
import { findTraceIds } from './session/trace-ids.ts';

interface Props {
  deploymentId: string;
  held: HeldLine;
  search: string;
  isUnfolded: boolean;
}

/** The text of a line in the agent's colours, with its matches marked and its traces linked. A JSON line has a button that unfolds it. */
export function LogText({ deploymentId, held: { line, text }, search, isUnfolded }: Props) {
  const json = parseJsonLine(text);
  const shown = json !== undefined && isUnfolded ? { message: json, text: json } : { message: line.message, text };
  const pieces = markSpans(linkSpans(parseAnsiSpans(shown.message), findTraceIds(shown.text)), findMatchRanges(shown.text, search));
  return (
    <>
      {json === undefined ? null : (
        <button
          type="button"
          data-fold={line.number}
          aria-expanded={isUnfolded}
          aria-label={`JSON of line ${line.number}`}
          className="mr-1.5 cursor-pointer text-subtle select-none hover:text-text pointer-coarse:px-2"
        >
          {isUnfolded ? '▾' : '▸'}
        </button>
      )}
      <span className={isUnfolded ? 'whitespace-pre-wrap' : undefined}>
        {pieces.map((piece, index) =>
          piece.traceId ? (
            <PageLink key={index} to="/deployments/$id" params={{ id: deploymentId }} search={{ tab: 'traces', trace: piece.traceId }}>
              <Piece piece={piece} />
            </PageLink>
          ) : (
            <Piece key={index} piece={piece} />
          ),
        )}
      </span>
    </>
  );
}

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
