import { boundedLines } from './bounded-output.ts';
import { limitReason } from './reasons/limits.ts';
import { nativeReason, scriptReason } from './reasons/native.ts';
import { networkReason } from './reasons/network.ts';
import { notFoundReason } from './reasons/not-found.ts';
import type { FailureOutput, Reason } from './reasons/reason.ts';
import { sourceReason } from './reasons/source.ts';
import { otherPythonReason, versionReason } from './reasons/versions.ts';

/**
 * Root causes come first: nothing can be downloaded without disk space, a client finds no package without a network, and a package that was
 * not found leaves no matching version.
 */
const causes = [limitReason, networkReason, otherPythonReason, notFoundReason, versionReason, nativeReason, sourceReason, scriptReason];

/** The cause of a failure, from a command's output. */
export interface Explanation extends Reason {
  transient: boolean;
  /** The cause was recognized and `reason` is a sentence. Otherwise `reason` is the last line that looks like an error. */
  known: boolean;
}

/** The cause of a failure and a suggestion what to try. */
export function explain(lines: string[]): Explanation {
  const clean = boundedLines(lines)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isOfWorkspace = clean.some((line) => /\bturbo\b|^Scope: \d|\brun failed: command\b/.test(line));
  const plain = isOfWorkspace ? clean.map((line) => line.replace(memberPrefix, '')) : clean;
  const output: FailureOutput = { lines: plain.map(withoutPrefix), text: clean.join('\n') };
  for (const cause of causes) {
    const found = cause(output);
    if (found !== undefined) return { transient: false, ...found, reason: found.reason.slice(0, maxReason), known: true };
  }
  const reason = (lastError(clean) ?? clean.at(-1) ?? '').slice(0, maxReason);
  return { reason, hint: other(output.text), transient: false, known: false };
}

const maxReason = 500;

function other(text: string): string {
  if (/EACCES|EROFS|Read-only file system/i.test(text)) return 'Builds can write only below their own folder and /tmp.';
  return 'The last lines of the log tell more.';
}

/** `api:build: ` of Turborepo and `apps/api build: ` of pnpm, before each line of a member's script. */
const memberPrefix = /^@?[\w./-]{1,80}(?::[a-z][\w:-]{0,40}: | [a-z][\w:-]{0,40}(?::|\$) )/;

/** Removes the prefix that npm and yarn write before each line. */
const withoutPrefix = (line: string) => line.replace(/^npm error (?!path |code )(?:notarget |404 |notsup )?/, '').trim();

function lastError(lines: string[]): string | undefined {
  return lines.findLast(
    (line) => !line.startsWith('at ') && !ofRunner.test(line) && (begins.test(line) || line.endsWith(': not found') || namesError(line)),
  );
}

/** bun's own line after whatever a script printed. */
const ofRunner = /^error: script "[\w:.-]{1,60}" exited with code \d{1,3}$/;
const begins = /^(?:error\b|err_|e:|fatal\b)/i;
const maxNameCharacters = 40;

/** `TypeError [CODE]: what`: the colon is close behind the name. */
function namesError(line: string): boolean {
  for (const { 0: name, index } of line.matchAll(/(?:Error|Exception)\b/gi)) {
    const after = line.slice(index + name.length, index + name.length + maxNameCharacters + 2);
    const colon = after.indexOf(':');
    if (colon !== -1 && after[colon + 1] === ' ') return true;
  }
  return false;
}
