/** C1 controls, which terminals treat like escapes (U+009B begins a sequence), and characters that change the direction of the surrounding text. */
const acting = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Removes these characters. In JSON they occur only in strings, so they are escaped there without a change of the value. */
const withoutActing = (text: string, form: 'text' | 'json') => text.replace(acting, form === 'json' ? escaped : () => '');

/**
 * The last filter of all output of the CLI: no text of a server, a file or an agent controls the terminal. Bytes pass unchanged. Escapes
 * remain: `terminal.ts` removes those of untrusted text, and writes the CLI's own.
 */
export function filterOutput(stream: NodeJS.WriteStream, form: 'text' | 'json'): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => write(typeof chunk === 'string' ? withoutActing(chunk, form) : chunk, ...rest);
}
