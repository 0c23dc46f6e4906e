/** A command of the palette, with an optional shortcut. */
export type Command = {
  id: string;
  label: string;
  /** The heading of its group: 'Go to', 'Actions'. */
  group: string;
  /** Keys pressed one after another: 'g d'. */
  keys?: string;
  /** Text by which it is found, too, and that is not shown: an id, an address. */
  words?: string;
  /** Not listed before something is typed. */
  isSearchOnly?: boolean;
  run: () => void;
};

/** Maximum number of commands that are listed. */
const maxListed = 100;

/**
 * The commands that contain every typed word, best first: a label that begins with a word before one that has a word in its middle, and
 * commands that were run lately before others that fit as well. Without a typed word, the recent ones come first.
 */
export function matchCommands(commands: readonly Command[], typed: string, recent: readonly string[] = []): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.flatMap((command, order) => {
    const scores = words.map((word) => scoreWord(command, word));
    if (words.length === 0 ? command.isSearchOnly && !recent.includes(command.id) : scores.includes(undefined)) return [];
    const at = recent.indexOf(command.id);
    return [{ command, order, score: scores.reduce<number>((sum, score) => sum + (score ?? 0), 0), age: at < 0 ? recent.length : at }];
  });
  return found
    .toSorted((a, b) => a.score - b.score || a.age - b.age || a.order - b.order)
    .slice(0, maxListed)
    .map(({ command }) => command);
}

/** How well a word fits, 0 being best; undefined if it does not. */
function scoreWord({ label, group, words = '' }: Command, word: string): number | undefined {
  const text = label.toLowerCase();
  if (text === word) return 0;
  if (text.startsWith(word)) return 1;
  if (text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) return 2;
  if (text.includes(word)) return 3;
  return `${group} ${words}`.toLowerCase().includes(word) ? 4 : undefined;
}
