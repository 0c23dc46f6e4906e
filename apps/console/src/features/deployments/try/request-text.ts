import { type TryMethod, tryMethods } from '@paddock/contract/limits';

/** A request to an agent as typed in the form. */
export interface Draft {
  method: TryMethod;
  path: string;
  /** A header per line, as in `accept: text/plain`. */
  headers: string;
  body: string;
}

export interface Wish {
  method: TryMethod;
  path: string;
  headers: { name: string; value: string }[];
  body: string;
}

/** Parses a draft into a request, or returns what is wrong with a header line. */
export function parseDraft({ method, path, headers, body }: Draft): { wish: Wish } | { problem: string } {
  const list: Wish['headers'] = [];
  for (const [index, line] of headers.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) return { problem: `Line ${index + 1} is not a header such as "accept: text/plain".` };
    list.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  return { wish: { method, path: encodePath(path), headers: list, body: hasBody(method) ? body : '' } };
}

/** Whether the method has a body; GET and HEAD are sent without a body left in the form by another method. */
export const hasBody = (method: TryMethod) => method !== 'GET' && method !== 'HEAD';

/** The path to send: absolute, with everything but visible ASCII encoded. */
function encodePath(typed: string): string {
  const path = typed.trim().toWellFormed();
  const encoded = path.replace(/[^!-"$-~]/gu, encodeURIComponent);
  return encoded.startsWith('/') ? encoded : `/${encoded}`;
}

export const isMethod = (text: unknown): text is TryMethod => (tryMethods as readonly unknown[]).includes(text);
