// Splits one line of a stream: its JSON into pieces, and those that are parts of a longer text which continues in later lines. Supports
// lines of server-sent events (`data: …`), of the AI SDK's data stream (`0:"…"`), plain JSON lines, and lines of text.
import { decode } from '../json/decode.ts';
import { type Piece, splitPieces, wholePiece } from '../pieces.ts';
import { detectChannel, readIndexes } from './running-texts.ts';

export interface EventLine {
  /** The pieces that are complete. */
  whole: Piece[];
  /** The offset of the complete pieces in the line. */
  wholeFrom: number;
  /** The parts of running texts, each with the name of its text. */
  parts: { piece: Piece; channel: string }[];
  /** The offset of the data, and of the parts, in the line. */
  from: number;
  /** Running texts end here. */
  isEnd: boolean;
}

interface Field {
  /** Empty if the line has no name. */
  name: string;
  /** The offset of its data. */
  from: number;
}

const DONE = '[DONE]';
const ENDS = /"(?:finish_reason|stop_reason|finishReason)": ?"|_stop"|\.done"|\.completed"|"done": ?true/;
const NAME = /^([A-Za-z_][\w.-]{0,31}|\d{1,2}|): ?/;
/** Fields whose lines are independent. Numbers of consecutive events would add up to a number that was never sent. */
const SINGLE = new Set(['id', 'event', 'retry', ':']);
/** A record of a JSON text sequence begins with this character. */
const SEPARATOR = 30;

/** Undefined for a line without data, such as the blank line after an event. */
export function readEventLine(line: string): EventLine | undefined {
  const field = parseField(line);
  const { name, from } = field;
  const data = line.slice(from);
  const trimmed = data.trim();
  if (trimmed === '') return undefined;
  if (trimmed === DONE) return { whole: [], wholeFrom: 0, parts: [], isEnd: true, from };
  if (trimmed[0] === '{' || trimmed[0] === '[') return jsonLine(data, from);
  const text = trimmed[0] === '"' ? decodeString(data) : undefined;
  if (text) return { whole: [text], wholeFrom: from, parts: [{ piece: text, channel: `"${name}` }], isEnd: false, from };
  return textLine(line, field);
}

function jsonLine(data: string, from: number): EventLine {
  const parts: EventLine['parts'] = [];
  const whole: Piece[] = [];
  const indexes = readIndexes(data);
  for (const piece of splitPieces(data)) {
    const channel = piece.levels === 1 && !piece.isKey ? detectChannel(piece) : undefined;
    if (channel !== undefined) parts.push({ piece, channel: numberChannel(`${channel.name} ${indexes}`, parts) });
    if (channel === undefined || channel.isAlsoWhole) whole.push(piece);
  }
  return { whole, wholeFrom: from, parts, isEnd: ENDS.test(data), from };
}

/** A text without JSON may be a complete message or part of one, so it is read as both. The line end is not part of it. */
function textLine(line: string, { name, from }: Field): EventLine {
  const all = line.replace(/[\r\n]{1,2}$/, '');
  const part = wholePiece(all.slice(from));
  const parts = SINGLE.has(name) ? [] : [{ piece: part, channel: `text ${name}` }];
  if (name === 'data') return { whole: [part], wholeFrom: from, parts, isEnd: false, from };
  // The name may show what the value is.
  return { whole: splitPieces(all), wholeFrom: 0, parts, isEnd: false, from };
}

/** Parts of the same kind in one event are distinguished by their order. */
function numberChannel(name: string, parts: EventLine['parts']): string {
  let count = 0;
  for (const { channel } of parts) if (channel.startsWith(name)) count++;
  return `${name} ${count}`;
}

function parseField(line: string): Field {
  const code = line.charCodeAt(0);
  if (code === 123) return { name: '', from: 0 }; // a line of plain JSON
  if (code === SEPARATOR || code === 0xfeff) return { name: '', from: 1 };
  const [all, name] = NAME.exec(line.slice(0, 40)) ?? [];
  if (all === undefined || name === undefined) return { name: '', from: 0 };
  if (name === '') return { name: ':', from: all.length }; // a comment
  // `12:30` is a time; the numbers of a data stream are followed by JSON.
  if (code < 58 && !'"{['.includes(line[all.length] ?? ' ')) return { name: '', from: 0 };
  return { name, from: all.length };
}

/** The text of a JSON string that is the whole data of a line. */
function decodeString(data: string): Piece | undefined {
  const start = data.indexOf('"') + 1;
  const end = data.lastIndexOf('"');
  if (end < start) return undefined;
  const decoded = data.includes('\\') ? decode(data, start, end) : undefined;
  const text = decoded?.text ?? data.slice(start, end);
  return { ...wholePiece(text), levels: 1, start, marks: decoded?.marks, outer: wholePiece(data) };
}
