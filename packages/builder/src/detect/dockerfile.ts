/** What a Dockerfile tells where nothing else does: its last CMD (with ENTRYPOINT before it) and its first EXPOSE. */
export interface DockerHints {
  start: string | string[] | null;
  port: number | null;
}

export function readDockerfile(source: string): DockerHints {
  const lines = source.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  let entrypoint: string | string[] | null = null;
  let cmd: string | string[] | null = null;
  let port: number | null = null;
  for (const line of lines) {
    const match = /^\s*(FROM|CMD|ENTRYPOINT|EXPOSE)\s+(.+?)\s*$/i.exec(line);
    const rest = match?.[2] ?? '';
    switch (match?.[1]?.toUpperCase()) {
      case 'FROM':
        entrypoint = cmd = port = null;
        break;
      case 'CMD':
        cmd = execForm(rest);
        break;
      case 'ENTRYPOINT':
        entrypoint = execForm(rest);
        cmd = null;
        break;
      case 'EXPOSE':
        port ??= exposed(rest);
        break;
      default:
    }
  }
  return { start: joined(entrypoint, cmd), port };
}

function exposed(rest: string): number | null {
  const n = Number(/^\d+/.exec(rest)?.[0]);
  return Number.isInteger(n) && n >= 1 && n <= 65_535 ? n : null;
}

function joined(entrypoint: string | string[] | null, cmd: string | string[] | null): string | string[] | null {
  if (entrypoint === null || typeof entrypoint === 'string') return entrypoint ?? cmd;
  return Array.isArray(cmd) ? [...entrypoint, ...cmd] : entrypoint;
}

function execForm(rest: string): string | string[] {
  if (!rest.startsWith('[')) return rest;
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.length > 0 && list.every((p) => typeof p === 'string') ? list : rest;
  } catch {
    // Docker itself takes a list that is not JSON as a shell line.
    return rest;
  }
}
