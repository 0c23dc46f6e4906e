import type { TryHead } from '@paddock/contract';
import { indentJson } from '../../../ui/text/indent-json.ts';

/** Maximum number of characters shown; the saved file has the whole body. */
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

/** Collects the body of a response, and returns its readable text. A body without a textual content type is text if it looks like text. */
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
    /** The body received so far. A complete JSON body is indented. */
    shown(isWhole: boolean): ShownBody {
      if (isText === false) return { kind: 'binary', text: '', bytes, isCut: false };
      const isCut = text.length > maxShown;
      const read = isCut ? text.slice(0, maxShown) : text;
      const mayBeJson = isWhole && !isCut && (/\bjson\b|\+json\b/i.test(type) || /^\s*[[{]/.test(read));
      return { kind: 'text', text: (mayBeJson ? indentJson(read) : undefined) ?? read, bytes, isCut };
    },
    /** The raw bytes, with a type that no browser opens. */
    file: () => new Blob(pieces, { type: 'application/octet-stream' }),
  };
}
export type AnswerBody = ReturnType<typeof answerBody>;

function looksLikeText(piece: Uint8Array): boolean {
  if (piece.includes(0)) return false;
  try {
    // A character may be cut at the end of the first piece, so `stream` ignores incomplete last bytes.
    new TextDecoder('utf-8', { fatal: true }).decode(piece, { stream: true });
    return true;
  } catch {
    return false; // the bytes are not UTF-8
  }
}
