/** Commands with their descriptions, as the help prints them. */
export const examples = (rows: [command: string, what: string][]) => {
  const width = Math.max(...rows.map(([command]) => command.length));
  return `\nExamples:\n${rows.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`).join('\n')}\n`;
};
