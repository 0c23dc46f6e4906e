import { firstWord } from '../line-parts.ts';

/** One instruction of a Dockerfile, its continued lines joined. Of `RUN <<EOF` the script is the rest, with its line ends. */
export interface Instruction {
  /** In capitals. */
  word: string;
  rest: string;
  /** Where it begins, from 1. */
  line: number;
}

/** Longer Dockerfiles are made by programs; what follows is left out. */
const maxInstructions = 1000;

export function instructionsOf(source: string): Instruction[] {
  const lines = source.split(/\r?\n/);
  const found: Instruction[] = [];
  for (let at = 0; at < lines.length && found.length < maxInstructions; ) {
    const line = at + 1;
    const { text, next } = joinedLines(lines, at);
    at = next;
    const { word, rest } = firstWord(text);
    if (rest === '') continue;
    const mark = /^<<-?["']?([A-Za-z_]\w{0,60})["']?/.exec(rest)?.[1];
    const isScript = mark !== undefined && ['RUN', 'COPY'].includes(word.toUpperCase());
    const end = isScript ? endOfScript(lines, at, mark) : at;
    found.push({ word: word.toUpperCase(), rest: isScript ? lines.slice(at, end).join('\n') : rest, line });
    if (isScript) at = end + 1;
  }
  return found;
}

function joinedLines(lines: string[], from: number): { text: string; next: number } {
  const parts: string[] = [];
  let at = from;
  for (let goesOn = true; goesOn && at < lines.length; at++) {
    const text = (lines[at] ?? '').trim();
    // Comments and empty lines may stand between continued lines.
    if (text === '' || text.startsWith('#')) {
      if (parts.length === 0) return { text: '', next: at + 1 };
      continue;
    }
    goesOn = text.endsWith('\\');
    parts.push(goesOn ? text.slice(0, -1) : text);
  }
  return { text: parts.join(' '), next: at };
}

function endOfScript(lines: string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at++) if ((lines[at] ?? '').trim() === mark) return at;
  return lines.length;
}
