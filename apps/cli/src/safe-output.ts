/** C1 controls, which terminals act upon as upon escapes (U+009B begins a sequence), and letters that turn the direction of the text around them. */
const acting = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text without such letters; in JSON they stand only in strings, where an escape means the same. */
const withoutActing = (text: string, form: 'text' | 'json') => text.replace(acting, form === 'json' ? escaped : () => '');

/**
 * The last filter of all that the tool prints, whichever part of it prints: nothing of a server, a file or an agent acts on the terminal. Bytes pass as they
 * are. Escapes are left in: `terminal.ts` takes those of strangers away, and writes the tool's own.
 */
export function filterOutput(stream: NodeJS.WriteStream, form: 'text' | 'json'): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => write(typeof chunk === 'string' ? withoutActing(chunk, form) : chunk, ...rest);
}
