// Parts of a line in a file written by strangers. Each is found in one pass over the line.

/** The text before a comment: a `#` at the start of the line or after white space. */
export function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return at === -1 ? line : line.slice(0, at);
}

/** The text without its surrounding quotes if they are equal, otherwise the text unchanged. */
export function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = text.length >= 2 && (quote === '"' || quote === "'") && text.at(-1) === quote;
  return isQuoted ? text.slice(1, -1) : text;
}

/** The first word of a line, and the text that follows it. */
export function firstWord(line: string): { word: string; rest: string } {
  const text = line.trim();
  const at = text.search(/\s/);
  return at === -1 ? { word: text, rest: '' } : { word: text.slice(0, at), rest: text.slice(at).trimStart() };
}

/** The first line with a value, as in version files. */
export function firstLine(source: string | null): string | undefined {
  return source
    ?.split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
}

/** The version that `.tool-versions` names for one of these tools. */
export function toolVersion(source: string | null, tools: string[]): string | undefined {
  const found = source
    ?.split(/\r?\n/)
    .map(firstWord)
    .find(({ word, rest }) => tools.includes(word) && rest !== '');
  return found === undefined ? undefined : firstWord(found.rest).word;
}
