// One line of a stream of events: its JSON cut into pieces, and which of these are parts of a longer text that goes on in later events.
import { type Piece, piecesOf, wholePiece } from '../pieces.ts';

export interface EventLine {
  /** The pieces that are whole in themselves. */
  whole: Piece[];
  /** The parts of running texts, each with the name of its text. */
  parts: { piece: Piece; channel: string }[];
  /** Running texts end here. */
  isEnd: boolean;
  /** Where the data begins in the line. */
  from: number;
}

const DATA = 'data:';
const DONE = '[DONE]';
const ENDS = /"(?:finish_reason|stop_reason|finishReason)": ?"|_stop"|\.done"|\.completed"/;
/** Numbers that tell which of several texts a part belongs to. */
const INDEXES = new Set(['index', 'output_index', 'content_index']);
const NO_TEXT = new Set(['type', 'role', 'id', 'name', 'stop_reason', 'status']);
const TOKENS = new Set(['token', 'chunk', 'completion', 'response', 'delta']);

/** Undefined for a line without data: a comment, the name of an event, the blank line behind it. */
export function readEventLine(line: string): EventLine | undefined {
  const from = startOfData(line);
  if (from === undefined) return undefined;
  const data = line.slice(from);
  const trimmed = data.trim();
  if (trimmed === '') return undefined;
  if (trimmed === DONE) return { whole: [], parts: [], isEnd: true, from };
  if (trimmed[0] !== '{' && trimmed[0] !== '[') return plainText(data, from);
  const pieces = piecesOf(data);
  const parts: EventLine['parts'] = [];
  const whole: Piece[] = [];
  const indexes = indexesOf(data);
  for (const piece of pieces) {
    const name = piece.levels === 1 && !piece.isKey ? channelOf(piece) : undefined;
    if (name === undefined) whole.push(piece);
    else parts.push({ piece, channel: nameOf(`${name} ${indexes}`, parts) });
  }
  return { whole, parts, isEnd: ENDS.test(data), from };
}

/** A text without JSON may be a message of its own or a part of one: it is read as both. The line's own end is no part of it. */
function plainText(data: string, from: number): EventLine {
  const text = data.replace(/[\r\n]{1,2}$/, '');
  return { whole: [wholePiece(text)], parts: [{ piece: wholePiece(text), channel: DATA }], isEnd: false, from };
}

/** Several parts of the same kind in one event are told apart by their order. */
function nameOf(name: string, parts: EventLine['parts']): string {
  let count = 0;
  for (const { channel } of parts) if (channel.startsWith(name)) count++;
  return `${name} ${count}`;
}

function startOfData(line: string): number | undefined {
  if (line.charCodeAt(0) === 123) return 0; // a line of JSON by itself
  if (!line.startsWith(DATA)) return undefined;
  return line.charCodeAt(DATA.length) === 32 ? DATA.length + 1 : DATA.length;
}

/** As chat completions, messages and responses of the usual interfaces stream their texts and the arguments of tools. */
function channelOf({ key, parent }: Piece): string | undefined {
  if (key === undefined) return undefined;
  if (parent === 'delta' && !NO_TEXT.has(key)) return `delta.${key}`;
  if (parent === undefined && TOKENS.has(key)) return key;
  if (key === 'arguments' && parent === 'function') return 'function.arguments';
  if (key === 'text' && (parent === 'choices' || parent === 'parts')) return `${parent}.text`;
  return undefined;
}

/** `"index":0` and the like, in order; bounded, because a line is a stranger's. */
function indexesOf(data: string): string {
  const found: string[] = [];
  for (const key of INDEXES) {
    let at = data.indexOf(`"${key}":`);
    for (let i = 0; at !== -1 && i < 8; i++) {
      found.push(
        data
          .slice(at + key.length + 3, at + key.length + 7)
          .trim()
          .split(/[,}\s]/)[0]!,
      );
      at = data.indexOf(`"${key}":`, at + 1);
    }
  }
  return found.join(',');
}
