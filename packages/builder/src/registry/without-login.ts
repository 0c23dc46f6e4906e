/** A text without the user names and passwords in its addresses. One pass, since strangers write the lines of builds. */
export function withoutLogin(text: string): string {
  let clean = '';
  let copied = 0;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    if (at === 0 || !/\w/.test(text[at - 1] ?? '')) continue;
    const length = text.slice(from).search(/[/@\s]/);
    if (length > 0 && text[from + length] === '@') {
      clean += text.slice(copied, from);
      copied = from + length + 1;
    }
  }
  return clean + text.slice(copied);
}

/** The user name and password of each address in a text, as written. */
export function findLogins(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    const length = /\w/.test(text[at - 1] ?? '') ? text.slice(from).search(/[/@\s"']/) : 0;
    if (length > 0 && text[from + length] === '@') found.push(text.slice(from, from + length));
  }
  return found;
}
