import { type TryMethod, tryMethods } from '@paddock/contract/limits';

/** What a person wrote to send to an agent, as it stands in the form. */
export interface Draft {
  method: TryMethod;
  path: string;
  /** One a line, as in `accept: text/plain`. */
  headers: string;
  body: string;
}

export interface Wish {
  method: TryMethod;
  path: string;
  headers: { name: string; value: string }[];
  body: string;
}

/** The request that a draft asks for, or what is wrong with a line of its headers. */
export function wishOf({ method, path, headers, body }: Draft): { wish: Wish } | { problem: string } {
  const list: Wish['headers'] = [];
  for (const [index, line] of headers.split('\n').entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) return { problem: `Line ${index + 1} is not a header such as "accept: text/plain".` };
    list.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  return { wish: { method, path: pathOf(path), headers: list, body: hasBody(method) ? body : '' } };
}

/** Requests of these methods are sent without the body that another method left in the form. */
export const hasBody = (method: TryMethod) => method !== 'GET' && method !== 'HEAD';

/** As an address is sent: from its root on, with everything but ASCII encoded. */
function pathOf(typed: string): string {
  const path = typed.trim().toWellFormed();
  const encoded = path.replace(/[^!-"$-~]/gu, encodeURIComponent);
  return encoded.startsWith('/') ? encoded : `/${encoded}`;
}

export const isMethod = (text: unknown): text is TryMethod => (tryMethods as readonly unknown[]).includes(text);
