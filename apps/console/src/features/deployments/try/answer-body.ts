import type { TryHead } from '@paddock/contract';
import { indentJson } from '../../../ui/text/indent-json.ts';

/** More is not read on a page; the file has all of it. */
export const maxShown = 256 * 1024;

export interface ShownBody {
  kind: 'text' | 'binary';
  text: string;
  bytes: number;
  /** The text is only the beginning. */
  isCut: boolean;
}

const textTypes =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)\b|application\/(?:javascript|x-ndjson|jsonl|graphql|x-www-form-urlencoded)\b)/i;

/** Collects an answer's body, and tells what of it can be read. What has no type that says so is text if it looks like text. */
export function answerBody({ headers }: Pick<TryHead, 'headers'>) {
  const valueOf = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  const type = valueOf('content-type');
  const isEncoded = !/^(?:identity)?$/i.test(valueOf('content-encoding'));
  const decoder = new TextDecoder('utf-8');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let text = '';
  let isText: boolean | undefined;
  if (isEncoded) isText = false;
  else if (type !== '') isText = textTypes.test(type);

  return {
    add(piece: Uint8Array<ArrayBuffer>) {
      pieces.push(piece);
      bytes += piece.length;
      isText ??= looksLikeText(piece);
      if (isText && text.length < maxShown) text += decoder.decode(piece, { stream: true });
    },
    /** As far as it has come. A whole answer in JSON is indented. */
    shown(isWhole: boolean): ShownBody {
      if (isText === false) return { kind: 'binary', text: '', bytes, isCut: false };
      const isCut = text.length > maxShown;
      const read = isCut ? text.slice(0, maxShown) : text;
      const mayBeJson = isWhole && !isCut && (/\bjson\b|\+json\b/i.test(type) || /^\s*[[{]/.test(read));
      return { kind: 'text', text: (mayBeJson ? indentJson(read) : undefined) ?? read, bytes, isCut };
    },
    /** The bytes as they came, of no type that a browser would open. */
    file: () => new Blob(pieces, { type: 'application/octet-stream' }),
  };
}
export type AnswerBody = ReturnType<typeof answerBody>;

function looksLikeText(piece: Uint8Array): boolean {
  if (piece.includes(0)) return false;
  try {
    // A letter may be cut at the end of the first piece, so its last bytes do not count.
    new TextDecoder('utf-8', { fatal: true }).decode(piece, { stream: true });
    return true;
  } catch {
    return false; // bytes that are no UTF-8
  }
}
