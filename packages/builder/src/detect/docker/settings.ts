import { posix } from 'node:path';
import { reservedNames } from '../settings.ts';
import type { Stage, Variable } from './stages.ts';

export interface DockerVariable {
  name: string;
  value: string;
  line: number;
}

/** Variables that give the image's own programs their paths, or package clients their settings. None of them is true in a sandbox. */
const namesOfImage = new Set(
  `PATH HOME USER LOGNAME SHELL PWD HOSTNAME HOST TMPDIR LANG LANGUAGE TZDIR DEBIAN_FRONTEND VIRTUAL_ENV PYTHONHOME PYTHON_VERSION NODE_VERSION NODE_PATH
  PNPM_HOME NVM_DIR PORT CI`.split(/\s+/),
);
const prefixesOfImage = 'LC_ LD_ PIP_ UV_ POETRY_ PDM_ PIPENV_ CONDA_ YARN_ NPM_ COREPACK_ APT_ npm_config_'.split(' ');
const isOfImage = (name: string) => namesOfImage.has(name) || prefixesOfImage.some((prefix) => name.startsWith(prefix));
const credential = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/;
const maxValues = 100;

/** The ENV variables that the agent gets, with paths of the image mapped to the archive. `root` is the agent's folder in the sandbox. */
export function readEnvSettings(
  stage: Stage,
  root: string,
  locate: (path: string) => string | null,
): { set: DockerVariable[]; reserved: string[] } {
  const set: DockerVariable[] = [];
  const reserved: string[] = [];
  const place = (path: string) => {
    if (!path.startsWith('/') || path.length > 1000) return path;
    const found = locate(posix.resolve('/', path));
    return found === null ? null : posix.join(root, found);
  };
  for (const { name, value, line } of stage.env.values()) {
    if (set.length === maxValues) break;
    if (value === null || isOfImage(name)) continue;
    if (reservedNames.test(name)) reserved.push(name);
    // An empty credential only declares that a value has to be set.
    else if (value !== '' || !credential.test(name)) {
      const placed = name === 'PYTHONPATH' ? pythonPath(value, place) : (place(value) ?? value);
      if (placed !== null) set.push({ name, value: placed, line });
    }
  }
  return { set, reserved };
}

function pythonPath(value: Variable['value'] & string, place: (path: string) => string | null): string | null {
  const paths = value
    .split(':')
    .filter((path) => path !== '')
    .map(place)
    .filter((path) => path !== null);
  return paths.length === 0 ? null : paths.join(':');
}
