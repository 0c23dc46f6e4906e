import { posix } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { readBelow } from '@paddock/safe-files';
import { BuildError, quoteName } from '../build-error.ts';
import { maxIncludes } from '../python-dependencies.ts';

const MAX_BYTES = 1024 ** 2;
/** Bound of all files together: ten thousand packages with their hashes. */
const MAX_CHARACTERS = 2 * MAX_BYTES;
const LINES_AT_ONCE = 2_000;

/** Options of pip and uv. `-r` and `-c` must be alone in their line; other options may follow a requirement. */
const INCLUDES = new Set(['-r', '--requirement', '-c', '--constraint']);
const FLAGS = new Set(['--no-index', '--require-hashes', '--pre', '--prefer-binary']);
const VALUED = new Set(
  `-i -f -e -C --index-url --extra-index-url --find-links --editable --no-binary --only-binary --trusted-host --use-feature --hash
   --config-settings --config-setting --global-option`.split(/\s+/),
);

/**
 * Refuses lines that use variables: pip and uv replace ${NAME} in requirements by a variable of their step, so an archive could send the
 * machine's logins to any address. `inputs` are the files that they read. A line that makes them read another file is refused. So is a line
 * that the two clients split in different ways: uv finds a second statement in the same line, and the value of an option in the next line.
 */
export async function refuseVariables(folder: string, inputs: string[], lines: string[] | null): Promise<void> {
  let characters = 0;
  for (const input of inputs) {
    const text = decoded((await readBelow(folder, input, MAX_BYTES)) ?? Buffer.alloc(0), input);
    characters += text.length;
    if (characters > MAX_CHARACTERS)
      throw refused('The lists of packages are larger than 2 MB together.', 'Leave out those that are not needed.');
    for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (at % LINES_AT_ONCE === 0) await breathe();
      refuseLine(line, { file: input, inputs });
    }
  }
  for (const line of lines ?? []) {
    refuseControls(line, 'The list of dependencies');
    if (/[\t\r\n]/.test(line) || isOption(line))
      throw refused(`The dependency ${quoteName(line)} is none.`, 'Correct that line and deploy again.');
    refuseLine(line, { file: 'The list of dependencies', inputs: [] });
  }
}

const utf16Marks: Record<string, string> = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' };

/** The text as uv and pip read it: both recognize UTF-16 by its byte order mark. pip also obeys a comment that names an encoding. */
function decoded(bytes: Buffer, file: string): string {
  const mark = bytes.subarray(0, 2).toString('latin1');
  const text = new TextDecoder(utf16Marks[mark] ?? 'utf-8').decode(bytes);
  refuseControls(text, file);
  for (const line of text.split('\n', 2)) {
    const named = line.startsWith('#') ? /coding[:=]\s*([\w.-]+)/.exec(line)?.[1] : undefined;
    if (named !== undefined && !/^(utf-?8|(us-)?ascii)$/i.test(named))
      throw refused(`${quoteName(file)} says that its encoding is ${quoteName(named)}.`, 'Write that file as UTF-8.');
  }
  return text;
}

/** Some control characters end a line for pip but not for uv. */
function refuseControls(text: string, file: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]/.test(text)) return;
  throw refused(`${quoteName(file)} holds a control character.`, 'Write that file as plain text, in UTF-8.');
}

interface Place {
  file: string;
  inputs: string[];
}

function refuseLine(line: string, place: Place): void {
  if (!/[-$]/.test(line) || /^[ \t]*#/.test(line)) return;
  refuseVariable(line, place.file);
  const [statement = ''] = line.split(/[ \t]#/, 1);
  const words = statement.split(/\s+/).filter((word) => word !== '' && word !== '\\');
  for (const [at, word] of words.entries()) {
    // Quotes and backslashes are removed when the client splits the line.
    if (!word.replaceAll(/["'\\]/g, '').startsWith('-')) continue;
    const name = (word.startsWith('--') ? word.split('=', 1)[0] : word.slice(0, 2)) ?? '';
    const isLast = at === words.length - 1 && !word.includes('=') && word.length === name.length;
    if (INCLUDES.has(name)) {
      if (at > 0) throw unclear(word, place);
      refuseInclude(line, place);
    } else if (!(FLAGS.has(name) ? word === name : VALUED.has(name) && !isLast)) throw unclear(word, place);
  }
}

/** `line` begins with the option. The plan does not follow names with quotes, variables or continued lines. */
function refuseInclude(line: string, { file, inputs }: Place): void {
  const [statement = ''] = line.split(/[ \t]#/, 1);
  const form = /^(?:--(?:requirement|constraint)=|(?:-[rc]|--requirement|--constraint)[ \t]+)([^\s"'\\$#=-][^\s"'\\$#]*)$/;
  const name = form.exec(statement.trim())?.[1];
  if (/:\/\/|^\w+:/.test(name ?? line))
    throw refused(`${quoteName(file)} includes a file from another address.`, 'Put that file into the archive.');
  if (name !== undefined && !name.startsWith('/') && inputs.includes(posix.join(posix.dirname(file), name))) return;
  throw refused(
    `${quoteName(file)} includes a file that is not in the archive, or is not among the first ${maxIncludes}: ${quoteName(line)}.`,
    'Write `-r`, a blank and the name of a file of the archive in a line of its own, without quotes.',
  );
}

function unclear(word: string, { file }: Place): BuildError {
  return refused(
    `${quoteName(file)} has an option that is unknown, lacks its value or stands in the wrong place: ${quoteName(word)}.`,
    'Write each option with its value in a line of its own.',
  );
}

/** `-e` names a package. Other options change the source of packages. */
function isOption(line: string): boolean {
  const text = line.trimStart();
  return text.startsWith('-') && !/^-e\s/.test(text);
}

function refuseVariable(line: string, file: string): void {
  const plain = line.replaceAll(/["'\\]/g, '');
  // pip joins lines before it searches for variables.
  if (!plain.includes('${') && !plain.endsWith('$')) return;
  const name = /\$\{([A-Z0-9_]{1,80})\}/.exec(plain)?.[1] ?? '…';
  throw refused(
    `${quoteName(file)} uses the variable \${${name}}, which installs don’t have.`,
    'Write out what it stands for, or put that package into the archive.',
  );
}

function refused(message: string, hint: string): BuildError {
  return new BuildError('install', 'requirements_refused', { message, hint });
}
