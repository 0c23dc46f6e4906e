/** The lines of a Procfile by process name. */
export function readProcfile(source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of source.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon).trim();
    const command = line.slice(colon + 1).trim();
    if (/^[A-Za-z0-9_-]+$/.test(name) && command !== '') found.set(name, command);
  }
  return found;
}
