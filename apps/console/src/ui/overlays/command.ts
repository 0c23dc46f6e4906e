/** Something the palette can run and, with keys, the keyboard too. */
export type Command = {
  id: string;
  label: string;
  /** The heading it stands under: 'Go to', 'Actions'. */
  group: string;
  /** Keys pressed one after another: 'g d'. */
  keys?: string;
  run: () => void;
};

/** The commands whose label or group holds every typed word, in their own order. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, group }) => {
    const text = `${group} ${label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
