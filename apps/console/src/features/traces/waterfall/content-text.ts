import type { Span } from '@paddock/contract';
import { indentJson } from '../../../ui/text/indent-json.ts';

/** A value with more letters or lines than this has a place of its own below the others. */
const shortLetters = 300;
const shortLines = 6;
/** Letters of one value that are shown; the copy has all of them. */
const shownLetters = 100_000;
const maxMessages = 200;

/** Letters that nobody sees, or that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text: string) => text.toWellFormed().slice(0, shownLetters).replace(hidden, '');

export interface Message {
  role: string;
  text: string;
}

export interface Content {
  name: string;
  /** As it was sent. */
  value: string;
  /** The same to be read: JSON is indented. */
  text: string;
  /** If it is a conversation. */
  messages: Message[] | undefined;
  isCut: boolean;
}

/** Attributes that need a place of their own, as prompts and answers do. */
export function contentsOf(attributes: Span['attributes']): Content[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    typeof value === 'string' && isLong(value)
      ? [{ name, value, text: textOf(value), messages: messagesOf(value), isCut: value.length > shownLetters }]
      : [],
  );
}

export const isLong = (value: Span['attributes'][string]): boolean =>
  typeof value === 'string' &&
  (value.length > shortLetters || value.split('\n', shortLines + 1).length > shortLines || messagesOf(value) !== undefined);

const textOf = (value: string) => shown((value.length <= shownLetters && /^\s*[{[]/.test(value) && indentJson(value)) || value);

/** The messages of a conversation as the GenAI conventions write them, of either generation; undefined for anything else. */
export function messagesOf(value: string): Message[] | undefined {
  if (value.length > shownLetters || !/^\s*\[/.test(value)) return undefined;
  const parsed = parse(value);
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > maxMessages) return undefined;
  const messages = parsed.map((each: unknown) => messageOf(each));
  return messages.every((each) => each !== undefined) ? messages : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the text itself is shown
  }
}

function messageOf(given: unknown): Message | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { role, content, parts } = given as Record<string, unknown>;
  if (typeof role !== 'string') return undefined;
  const pieces = parts ?? content;
  const text = (Array.isArray(pieces) ? pieces : [pieces]).map(pieceText).join('\n');
  return { role: shown(role).slice(0, 40), text: shown(text) };
}

/** A text as it is, and a call of a tool, an image or anything else as JSON. */
function pieceText(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  const { content, text } = (piece ?? {}) as Record<string, unknown>;
  if (typeof content === 'string') return content;
  if (typeof text === 'string') return text;
  return piece === null || piece === undefined ? '' : JSON.stringify(piece, null, 2);
}
