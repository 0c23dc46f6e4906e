/** A command of the palette, with an optional shortcut. */
export type Command = {
  id: string;
  label: string;
  /** The heading of its group: 'Go to', 'Actions'. */
  group: string;
  /** Keys pressed one after another: 'g d'. */
  keys?: string;
  run: () => void;
};

/** The commands whose label or group contains every typed word, in their original order. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, group }) => {
    const text = `${group} ${label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
