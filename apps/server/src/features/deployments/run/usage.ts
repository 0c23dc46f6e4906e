import { withoutColours } from './last-error.ts';

/** The agent writes the lines, so a bounded number of them is read, and a bounded part of each. */
const maxLines = 60;
const maxLineLength = 2000;
const maxCommands = 6;

const usage = /^\s{0,8}usage: /i;
/** Exit codes for wrong arguments: those of shells, argparse and click, and sysexits(3). */
const usageCodes = new Set<number | null | undefined>([1, 2, 64]);

/** Refusals of Click's programs, among them Chainlit, Streamlit and Uvicorn. */
const absentFile =
  /^Error: Invalid value(?: for '?[\w.-]{1,40}'?)?: (?:File does not exist: |(?:File|Path) ['"])([\w./-]{1,200})(?:['"] does not exist|$)/;

/**
 * Advice for a program that printed its usage and exited: it needs a command or arguments. `examples`: commands of its documents that have
 * them. Undefined for other programs.
 */
export function wantedArguments(code: number | null | undefined, tail: string[], examples: string[] = []): string | undefined {
  if (!usageCodes.has(code)) return undefined;
  const lines = tail.slice(-maxLines).map((line) => withoutColours(line.slice(0, maxLineLength)));
  const known = examples.length === 0 ? '' : `, such as ${examples.map((line) => `\`${line}\``).join(' or ')} of its documents`;
  const whole = `give the whole command${known}, as the start command in the build settings, or as "start" in paddock.yaml.`;
  if (lines.some((line) => line.startsWith('IndexError: ')) && lines.some((line) => /^ {1,8}\S.{0,300}\bsys\.argv\[/.test(line)))
    return `It reads arguments of its command (sys.argv), and got none: ${whole}`;
  const at = lines.findLastIndex((line) => usage.test(line));
  if (at === -1) return undefined;
  const file = lines.map((line) => absentFile.exec(line)?.[1]).findLast((path) => path !== undefined);
  if (file !== undefined)
    return `The file ${file}, which the start command names, is not there: give the file to start in the build settings, or as "start" in paddock.yaml.`;
  const missing = lines.findLast((line) => /: error: |^Error: Missing /.test(line));
  const commands = commandsIn(lines.slice(at));
  const shown =
    missing?.replace(/^.{0,200}?: error: /, '').trim() ?? (commands.length > 0 ? `its commands are ${commands.join(', ')}` : '');
  const said = shown === '' ? '' : ` (${shown.slice(0, 300)})`;
  return `It wants arguments${said}: ${whole}`;
}

/** Commands in usage texts: one per line below a heading (click, typer), or in braces (argparse). */
function commandsIn(lines: string[]): string[] {
  const heading = lines.findIndex((line) => /^\W{0,8}commands\b/i.test(line));
  const listed =
    heading === -1 ? [] : lines.slice(heading + 1).flatMap((line) => /^[\s│|]{1,8}([a-z][\w-]{0,40})(?:\s|$)/.exec(line)?.[1] ?? []);
  const inBraces = lines.flatMap((line) => /\{([\w-]{1,40}(?:,[\w-]{1,40}){0,20})\}/.exec(line)?.[1]?.split(',') ?? []);
  return [...new Set(listed.length > 0 ? listed : inBraces)].slice(0, maxCommands);
}
