import type { Span } from '@paddock/contract';
import { indentJson } from '../../../ui/text/indent-json.ts';

/** A value with more characters or lines than this is shown separately, below the others. */
const shortLetters = 300;
const shortLines = 6;
/** Maximum number of characters shown of a value; a copy has all of them. */
const shownLetters = 100_000;
const maxMessages = 200;

/** Characters that are invisible or change the text direction. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text: string) => text.toWellFormed().slice(0, shownLetters).replace(hidden, '');

export interface Message {
  role: string;
  text: string;
}

export interface Content {
  name: string;
  /** The value as received. */
  value: string;
  /** The value for display: JSON is indented. */
  text: string;
  /** The messages, if the value is a conversation. */
  messages: Message[] | undefined;
  isCut: boolean;
}

/** Attributes that are shown separately, such as prompts and answers. */
export function extractContents(attributes: Span['attributes']): Content[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    typeof value === 'string' && isLong(value)
      ? [{ name, value, text: textOf(value), messages: parseMessages(value), isCut: value.length > shownLetters }]
      : [],
  );
}

export const isLong = (value: Span['attributes'][string]): boolean =>
  typeof value === 'string' &&
  (value.length > shortLetters || value.split('\n', shortLines + 1).length > shortLines || parseMessages(value) !== undefined);

const textOf = (value: string) => shown((value.length <= shownLetters && /^\s*[{[]/.test(value) && indentJson(value)) || value);

/** The messages of a conversation in either version of the GenAI conventions; undefined for anything else. */
export function parseMessages(value: string): Message[] | undefined {
  if (value.length > shownLetters || !/^\s*\[/.test(value)) return undefined;
  const parsed = parse(value);
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > maxMessages) return undefined;
  const messages = parsed.map((each: unknown) => parseMessage(each));
  return messages.every((each) => each !== undefined) ? messages : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the text itself is shown
  }
}

function parseMessage(given: unknown): Message | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { role, content, parts } = given as Record<string, unknown>;
  if (typeof role !== 'string') return undefined;
  const pieces = parts ?? content;
  const text = (Array.isArray(pieces) ? pieces : [pieces]).map(pieceText).join('\n');
  return { role: shown(role).slice(0, 40), text: shown(text) };
}

/** A text unchanged; a tool call, an image or anything else as JSON. */
function pieceText(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  const { content, text } = (piece ?? {}) as Record<string, unknown>;
  if (typeof content === 'string') return content;
  if (typeof text === 'string') return text;
  return piece === null || piece === undefined ? '' : JSON.stringify(piece, null, 2);
}
