import * as bidiPackage from 'bidi-js';

// The package's types do not match its code, which exports one function.
const bidi = (bidiPackage.default as unknown as () => ReturnType<typeof bidiPackage.default.default>)();

/** A piece of a line that one font draws, in the direction of its script. */
export interface Run {
  font: string;
  text: string;
}

/** The runs of a line in visual order, from the left. `fontOf` returns the font of each character. */
export function bidiRuns(line: string, fontOf: (character: string) => string): Run[] {
  const embedded = bidi.getEmbeddingLevels(line, 'auto');
  const mirrored = bidi.getMirroredCharactersMap(line, embedded.levels);
  const runs: (Run & { level: number })[] = [];
  let at = 0;
  for (const character of line) {
    const level = embedded.levels[at] ?? 0;
    const shown = mirrored.get(at) ?? character;
    at += character.length;
    const last = runs.at(-1);
    const font = isJoiner(character) && last ? last.font : fontOf(shown);
    // In right-to-left text a space ends a run: fonts reverse words, not the line.
    const isSpace = level % 2 === 1 && (character === ' ' || last?.text.endsWith(' '));
    if (last && last.font === font && last.level === level && !isSpace) last.text += shown;
    else runs.push({ font, text: shown, level });
  }
  return inSight(runs);
}

/** Joiners belong to the word around them. */
const isJoiner = (character: string) => character === '\u200c' || character === '\u200d';

/** Reverses runs, from the highest level down to the lowest odd one (rule L2 of the Unicode bidirectional algorithm). */
function inSight(runs: readonly (Run & { level: number })[]): Run[] {
  const seen = [...runs];
  const highest = Math.max(0, ...seen.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    let from = 0;
    while (from < seen.length) {
      let to = from;
      while ((seen[to]?.level ?? -1) >= level) to += 1;
      if (to > from) seen.splice(from, to - from, ...seen.slice(from, to).toReversed());
      from = to + 1;
    }
  }
  return seen.map(({ font, text, level }) => ({ font, text: level % 2 === 1 && !rightToLeft.test(text) ? turned(text) : text }));
}

/** Fonts reverse these scripts themselves, and leave signs between them unchanged. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const turned = (text: string) => Array.from(text).toReversed().join('');
