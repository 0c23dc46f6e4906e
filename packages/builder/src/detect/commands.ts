/** The argument list of a start or build line. A line of plain words runs without a shell; the shell reads any other line. */
export function parseCommand(line: string | string[]): string[] {
  if (Array.isArray(line)) return line;
  const words = line.trim().split(/\s+/);
  const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;
  // A word with `=` in front of the command sets a variable, and a dot file or a builtin needs the shell.
  if (words.every((w) => plain.test(w)) && !words[0]?.includes('=') && !builtins.has(words[0] ?? '')) return words;
  return ['/bin/sh', '-c', line];
}

const builtins = new Set(['cd', 'exec', 'export', 'source', '.', 'set', 'eval', 'ulimit', 'umask', 'trap', 'wait', 'if', 'for', 'while']);

/** A command as a line that a shell reads as the same words; `$PORT` stays a variable. */
export function commandLine(command: string[]): string {
  if (command[0] === '/bin/sh' && command[1] === '-c' && command.length === 3) return command[2] ?? '';
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word.replaceAll('$PORT', '0')) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** The words of a command, for searching names in it. Quotes and operators separate words. */
export function wordsOf(command: string[]): string[] {
  return command.flatMap((part) => part.split(/[\s;&|()<>"'`]+/)).filter((w) => w !== '');
}

/**
 * Commands of the rules write the port as `$PORT`, which only the running agent knows. The script text is fixed and gets its arguments
 * by position: no text of the archive becomes shell text.
 */
export function withPort(command: string[], env: Record<string, string>): { command: string[]; env: Record<string, string> } {
  const names = Object.keys(env).filter((name) => env[name] === '$PORT' && /^[A-Za-z_]\w*$/.test(name));
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
  const usesShell = command[0] === '/bin/sh' && command[1] === '-c';
  const inArguments = !usesShell && command.some((part) => part.includes('$PORT'));
  if (names.length === 0 && !inArguments) return { command, env: rest };
  const exports = names.map((name) => `export ${name}="$PORT"; `).join('');
  const values: string[] = [];
  const words = command.map((part) => {
    if (part === '') return "''";
    const pieces = usesShell ? [part] : part.split('$PORT');
    return pieces.map((piece) => (piece === '' ? '' : `"\${${values.push(piece)}}"`)).join('"$PORT"');
  });
  return { command: ['/bin/sh', '-c', `${exports}exec ${words.join(' ')}`, 'sh', ...values], env: rest };
}
