import { readToml } from '../python/pyproject.ts';
import type { SourceTree } from './source-tree.ts';
import { parseYaml } from './yaml.ts';

/** A start command from another host's file. */
export interface HostedStart {
  command: string;
  /** `render.yaml (startCommand)` */
  because: string;
  type: 'web' | 'worker';
}

type Fields = Record<string, unknown>;
type Reader = (file: Fields) => { command: unknown; key: string; type?: 'worker' } | undefined;

/** Files of other hosts that name a start command, the most specific first. Fields that are absent or of another form are ignored. */
const hosts: { path: string; read: (source: string, path: string) => unknown; start: Reader }[] = [
  { path: 'render.yaml', read: parseYaml, start: ofRender },
  {
    path: 'railway.json',
    read: (source) => JSON.parse(source),
    start: (file) => ({ command: fields(file.deploy).startCommand, key: 'startCommand' }),
  },
  { path: 'railway.toml', read: readToml, start: (file) => ({ command: fields(file.deploy).startCommand, key: 'startCommand' }) },
  { path: 'nixpacks.toml', read: readToml, start: (file) => ({ command: fields(file.start).cmd, key: 'start' }) },
  { path: 'heroku.yml', read: parseYaml, start: ofHeroku },
  {
    path: 'app.yaml',
    read: parseYaml,
    start: (file) => ({ command: file.runtime === undefined ? null : file.entrypoint, key: 'entrypoint' }),
  },
  { path: 'apprunner.yaml', read: parseYaml, start: (file) => ({ command: fields(file.run).command, key: 'run' }) },
];

/** Commands that only run a script of package.json, which is read anyway. */
const ownScript = /^(?:npm|pnpm|yarn|bun)\s{1,20}(?:run\s{1,20})?(?:start|dev)$/;
const maxLine = 4096;

/** The start command in another host's file; undefined if there is none. A broken file is ignored: judging it is not Paddock's task. */
export function hostedStart(tree: SourceTree): HostedStart | undefined {
  for (const { path, read, start } of hosts) {
    const source = tree.read(path);
    if (source === null) continue;
    const found = startIn(source, { path, read, start });
    if (found !== undefined) return found;
  }
  return undefined;
}

function startIn(source: string, { path, read, start }: (typeof hosts)[number]): HostedStart | undefined {
  const found = start(fields(parsed(source, { path, read })));
  if (typeof found?.command !== 'string') return undefined;
  const command = found.command.trim();
  if (command === '' || command.length > maxLine || command.includes('\n') || ownScript.test(command)) return undefined;
  return { command, because: `${path} (${found.key})`, type: found.type ?? 'web' };
}

function parsed(source: string, { path, read }: Pick<(typeof hosts)[number], 'path' | 'read'>): unknown {
  try {
    return read(source, path);
  } catch {
    return undefined;
  }
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {});
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** The only service at the archive's root, otherwise its only web service. */
function ofRender(file: Fields): ReturnType<Reader> {
  const isOwn = ({ rootDir }: Fields) => rootDir === undefined || rootDir === '' || rootDir === '.' || rootDir === './';
  const services = listOf(file.services).filter((one) => isOwn(one) && typeof one.startCommand === 'string');
  const web = services.filter(({ type }) => type === 'web');
  const [only, another] = web.length > 0 ? web : services;
  if (only === undefined || another !== undefined) return undefined;
  return { command: only.startCommand, key: 'startCommand', ...(only.type === 'worker' ? { type: 'worker' } : {}) };
}

function ofHeroku(file: Fields): ReturnType<Reader> {
  const { web, worker } = fields(file.run);
  return web === undefined ? { command: worker, key: 'run', type: 'worker' } : { command: web, key: 'run' };
}
