// Masks a stream of lines, such as server-sent events. The JSON of each line is masked separately. Texts that arrive in small parts
// (`delta`) are joined, so that a value split over many events is found. Lines wait until their parts are decided.
import { findInPieces, type Spot } from '../find.ts';
import type { Finding } from '../finding.ts';
import { toWhole } from '../pieces.ts';
import { placeholder } from '../redact.ts';
import { written } from '../replace.ts';
import type { PiiType } from '../types.ts';
import { channels, type Part } from './channels.ts';
import { readEventLine } from './event-line.ts';
import { type Counts, count, type MaskStream, type StreamOptions } from './stream.ts';
import { textStream } from './text.ts';

/** A longer line is masked as a text that arrives in pieces, not as JSON. */
const LONGEST_LINE = 1 << 20;
/**
 * Maximum number of lines with undecided parts, and of characters in all waiting lines. Beyond them, the held-back text is decided as it
 * is.
 */
const MOST_WAITING = 256;
const MOST_HELD = 1 << 18;

interface Line {
  text: string;
  /** Its offset in the stream. */
  at: number;
  /** The offset of its data. */
  from: number;
  parts: Part[];
  /** Findings with their offsets in the line. */
  spots: Spot[];
}

/** Reports each finding with its offsets in the whole stream. For a value split over events, these are the offsets of its first part. */
export function eventStream(options: Omit<StreamOptions, 'format'>, report: (finding: Finding) => void = () => undefined): MaskStream {
  const findings: Counts = {};
  const lines = eventLines(options, (finding) => {
    count(findings, [finding]);
    report(finding);
  });
  let begun: string[] = [];
  let length = 0;
  /** The rest of a line that was too long. */
  let long: MaskStream | undefined;

  /** Handles the end of a line, with its line feed, or of the stream. */
  const endLine = (rest: string): string => {
    if (long) {
      lines.skip(rest.length);
      const released = long.push(rest) + long.end();
      for (const [type, found] of Object.entries(long.findings) as [PiiType, number][]) findings[type] = (findings[type] ?? 0) + found;
      long = undefined;
      return released;
    }
    lines.take(begun.join('') + rest);
    begun = [];
    length = 0;
    return lines.release();
  };

  /** Handles a piece of a line without its end. */
  const goOn = (piece: string): string => {
    if (long) {
      lines.skip(piece.length);
      return long.push(piece);
    }
    begun.push(piece);
    length += piece.length;
    if (length <= LONGEST_LINE) return '';
    lines.finish();
    const released = lines.release();
    long = textStream({ ...options, format: 'text' });
    const all = begun.join('');
    lines.skip(all.length);
    begun = [];
    length = 0;
    return released + long.push(all);
  };

  return {
    push(text) {
      let from = 0;
      let released = '';
      for (let end = endOfLine(text, 0); end !== -1; end = endOfLine(text, from)) {
        released += endLine(text.slice(from, end));
        from = end;
      }
      return from < text.length ? released + goOn(text.slice(from)) : released;
    },
    end() {
      const released = long || length > 0 ? endLine('') : '';
      lines.finish();
      return released + lines.release();
    },
    findings,
  };
}

/**
 * The offset after the next line feed, carriage return, or both; -1 if there is none. A line feed that arrives with the next piece is a
 * line of its own.
 */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (code === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return -1;
}

/** Keeps lines in order: each waits until all lines before it are decided. */
function eventLines(options: Omit<StreamOptions, 'format'>, report: (finding: Finding) => void) {
  const replacement = options.replacement ?? placeholder;
  const texts = channels(options);
  const waiting: Line[] = [];
  let withParts = 0;
  let held = 0;
  let offset = 0;

  const write = (line: Line): string => {
    let masked = '';
    let at = 0;
    for (const { start, end, levels, isBare, spot } of collectEdits(line)) {
      if (start < at) {
        at = Math.max(at, end); // two findings overlap, and both must be masked
        continue;
      }
      masked += line.text.slice(at, start);
      if (spot) {
        masked += written({ isBare, levels }, replacement(spot.type, spot.value) + spot.sequences);
        report({ type: spot.type, start: line.at + start, end: line.at + end, score: spot.score });
      }
      at = end;
    }
    return at === 0 ? line.text : masked + line.text.slice(at);
  };

  return {
    finish: () => texts.finish(),
    /** Skips text that was masked elsewhere. */
    skip(length: number): void {
      offset += length;
    },
    take(text: string): void {
      const line: Line = { text, at: offset, from: 0, parts: [], spots: [] };
      offset += text.length;
      held += text.length;
      waiting.push(line);
      const read = readEventLine(text);
      if (!read) return;
      line.from = read.from;
      const { wholeFrom } = read;
      line.spots = findInPieces(read.whole, options).map((spot) => ({ ...spot, start: wholeFrom + spot.start, end: wholeFrom + spot.end }));
      for (const { piece, channel } of read.parts) {
        const part: Part = { piece, decided: 0, edits: [] };
        line.parts.push(part);
        texts.add(channel, part);
      }
      if (read.parts.length > 0) withParts++;
      if (read.isEnd || withParts > MOST_WAITING || held > MOST_HELD) texts.finish();
    },
    /** Returns the lines from the first one on that are decided. */
    release(): string {
      let ready = 0;
      let released = '';
      for (const line of waiting) {
        if (line.parts.some(({ piece, decided }) => decided < piece.text.length)) break;
        released += write(line);
        ready++;
        held -= line.text.length;
        if (line.parts.length > 0) withParts--;
      }
      waiting.splice(0, ready);
      return released;
    },
  };
}

interface LineEdit {
  start: number;
  end: number;
  levels: number;
  isBare: boolean;
  spot: Pick<Spot, 'type' | 'value' | 'sequences' | 'score'> | undefined;
}

/** The edits of a line, in order. */
function collectEdits({ from, spots, parts }: Line): LineEdit[] {
  const edits: LineEdit[] = spots.map((spot) => ({ ...spot, spot }));
  for (const { piece, edits: found } of parts)
    for (const { start, end, spot } of found)
      edits.push({ start: from + toWhole(piece, start), end: from + toWhole(piece, end), levels: piece.levels, isBare: false, spot });
  return edits.sort((a, b) => a.start - b.start);
}
