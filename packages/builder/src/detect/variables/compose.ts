import type { SourceTree } from '../source-tree.ts';
import { isAskable, isSecret, type Mention } from './mention.ts';

const names = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'];
const maxLines = 2000;
const maxLineLength = 500;

/**
 * Variables that a compose file passes to services that are built from the archive. The file is read line by line; the rest of it is
 * ignored.
 */
export function namedByCompose(tree: SourceTree): Mention[] {
  const file = names.find(tree.has);
  if (file === undefined) return [];
  const found: Mention[] = [];
  let service: Service = { indent: 0, isBuilt: false, environment: -1, found: [] };
  let isServices = false;
  const end = () => found.push(...(service.isBuilt ? service.found : []));
  for (const [index, whole] of (tree.read(file) ?? '').split('\n', maxLines).entries()) {
    const line = whole.slice(0, maxLineLength).trimEnd();
    const text = line.trimStart();
    if (text === '' || text.startsWith('#')) continue;
    const indent = line.length - text.length;
    if (indent === 0) {
      end();
      isServices = text === 'services:';
      service = { indent: 0, isBuilt: false, environment: -1, found: [] };
    } else if (isServices && (service.indent === 0 || indent <= service.indent)) {
      end();
      service = { indent, isBuilt: false, environment: -1, found: [] };
    } else if (isServices) readLine(service, { text, indent, at: `${file}:${index + 1}` });
  }
  end();
  return found;
}

/** Variables for which a compose file has a value in reserve, whichever service gets them: `${A_KEY:-tea}`. */
export function filledByCompose(tree: SourceTree): Set<string> {
  const file = names.find(tree.has);
  const source = file === undefined ? '' : (tree.read(file) ?? '').slice(0, maxLines * maxLineLength);
  return new Set([...source.matchAll(/\$\{([A-Z][A-Z0-9_]{1,63}):?-[^}\s]/g)].map(([, name = '']) => name));
}

interface Service {
  indent: number;
  isBuilt: boolean;
  /** Indentation of the current `environment:`; -1 outside it. */
  environment: number;
  found: Mention[];
}

function readLine(service: Service, { text, indent, at }: { text: string; indent: number; at: string }): void {
  const isEntry = service.environment !== -1 && (indent > service.environment || (indent === service.environment && text.startsWith('-')));
  if (isEntry) {
    service.found.push(...parseEntry(text, at));
    return;
  }
  service.environment = text === 'environment:' ? indent : -1;
  if (text.startsWith('build:')) service.isBuilt = true;
}

/** `- A_KEY`, `- A_KEY=${A_KEY:?}`, `A_KEY: ${A_KEY}`, each without a value of its own. */
function parseEntry(text: string, at: string): Mention[] {
  const entry = (text.startsWith('- ') ? text.slice(2) : text).replaceAll('"', '').replaceAll("'", '').trim();
  const equals = entry.search(/[=:]/);
  const name = (equals === -1 ? entry : entry.slice(0, equals)).trim();
  const value = equals === -1 ? '' : entry.slice(equals + 1).trim();
  if (!isAskable(name) || (value !== '' && !value.startsWith('${'))) return [];
  if (value.includes(':?')) return [{ name, at, need: 'required' }];
  return [{ name, at, need: isSecret(name) && !/:?-/.test(value) ? 'open' : 'default' }];
}
