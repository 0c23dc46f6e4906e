import { readTextBelow } from '@paddock/safe-files';
import { BuildError, quoteName } from '../build-error.ts';

const LARGEST_BYTES = 1024 ** 2;

/**
 * pip and uv put variables of their step in the place of ${NAME} in requirements: an archive could send the machine's logins to any
 * address so. Files that are fetched, and could hold such lines, are refused as well, and so are lines that hide a second one.
 */
export async function refuseVariables(folder: string, inputs: string[], lines: string[] | null): Promise<void> {
  for (const input of inputs.filter((name) => name.endsWith('.txt') || name.endsWith('.in'))) {
    const text = (await readTextBelow(folder, input, LARGEST_BYTES)) ?? '';
    for (const line of text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)) refuseVariable(line, input);
    if (/(^|\s)(-r|-c|--requirement|--constraint)[\s=]{0,9}["']?\w{1,20}:\/\//m.test(text.replaceAll(/\\\r?\n/g, '')))
      throw refused(`${quoteName(input)} includes a file from another address.`, 'Put that file into the archive.');
  }
  for (const line of lines ?? []) {
    refuseVariable(line, 'The list of dependencies');
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    if (/[\x00-\x1f\x7f\x85\u2028\u2029]/.test(line) || isOption(line))
      throw refused(`The dependency ${quoteName(line)} is none.`, 'Correct that line and deploy again.');
  }
}

/** `-e` names a package; other options change where packages come from. */
function isOption(line: string): boolean {
  const text = line.trimStart();
  return text.startsWith('-') && !/^-e\s/.test(text);
}

function refuseVariable(line: string, file: string): void {
  if (line.trimStart().startsWith('#')) return;
  const name = /\$\{([A-Z0-9_]{1,80})\}/.exec(line)?.[1];
  if (name === undefined) return;
  throw refused(
    `${quoteName(file)} uses the variable \${${name}}, which installs don’t have.`,
    'Write out what it stands for, or put that package into the archive.',
  );
}

function refused(message: string, hint: string): BuildError {
  return new BuildError('install', 'requirements_refused', message, { hint });
}
