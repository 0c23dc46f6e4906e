/** The lines of a Procfile by process name. */
export function readProcfile(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of source.split(/\r?\n/)) {
    const match = /^\s*([A-Za-z0-9_-]+)\s*:\s*(\S.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) found.set(match[1], match[2]);
  }
  return found;
}
