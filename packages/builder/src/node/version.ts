import semver from 'semver';
import { BuildError } from '../build-error.ts';
import { versionOfImage } from '../detect/docker/read.ts';
import { firstLine, toolVersion } from '../detect/line-parts.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import type { Toolchains } from '../detect/toolchains.ts';
import { lockedEngines } from './locked-engines.ts';

export interface NodeChoice {
  /** The full version of the platform's own Node, or a major version to download. */
  version: string;
  because: string;
  warning?: string;
}

const named: Record<string, string> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

export interface NodeVersionHints {
  setting: string | undefined;
  /** `engines.node` of package.json. */
  engine: string | null;
  /** Names of the packages that package.json lists. */
  packages: readonly string[];
}

/**
 * Order of precedence: setting > engines.node > .nvmrc > .node-version > .tool-versions > the Dockerfile's, unless locked packages exclude
 * it > the platform's.
 */
export function chooseNode(tree: SourceTree, { setting, engine, packages }: NodeVersionHints, toolchains: Toolchains): NodeChoice {
  const line = (path: string) => firstLine(tree.read(path));
  const wishes = [
    { wish: setting, because: 'setting' },
    { wish: engine, because: 'package.json (engines.node)' },
    { wish: line('.nvmrc'), because: '.nvmrc' },
    { wish: line('.node-version'), because: '.node-version' },
    { wish: toolVersion(tree.read('.tool-versions'), ['nodejs', 'node']), because: '.tool-versions' },
  ];
  const own = toolchains.node.version;
  const found = wishes.find(({ wish }) => wish !== null && wish !== undefined && wish !== '');
  if (!found?.wish) return ofDockerfile(tree, packages, toolchains);
  const { wish, because } = found;
  const range = parseRange(wish);
  if (range === null)
    return {
      version: own,
      because: 'the platform’s own',
      warning: `${because} asks for Node “${wish.slice(0, maxRangeCharacters)}”, which is not a version; ${own} is used.`,
    };
  if (semver.satisfies(own, range)) return { version: own, because };
  const major = [...toolchains.nodeMajors].sort((a, b) => b - a).find((m) => semver.intersects(range, `^${m}.0.0`));
  if (major !== undefined) {
    const choice = { version: String(major), because };
    if (semver.valid(wish) === null) return choice;
    return { ...choice, warning: `${because} asks for Node ${wish}; the newest ${major}.x is used.` };
  }
  const offered = [...toolchains.nodeMajors.map((m) => `${m}.x`), own].join(', ');
  throw new BuildError('detect', 'node_unsupported', {
    message: `The agent asks for Node ${wish} (${because}), which isn't offered.`,
    hint: `Offered: Node ${offered}.`,
  });
}

/**
 * The Node of the Dockerfile, which is only the version that the author once used. Another version may work as well, and the lock may need
 * a newer one.
 */
function ofDockerfile(tree: SourceTree, packages: readonly string[], { node, nodeMajors }: Toolchains): NodeChoice {
  const image = versionOfImage(tree, /(?:\bnode:|nodejs:?)(\d{1,2})(?!\d)/);
  if (image === null) return { version: node.version, because: 'the platform’s own' };
  const { version: wish, because } = image;
  if (semver.major(node.version) === Number(wish)) return { version: node.version, because };
  const excluding = lockedEngines(tree, packages).find(({ range }) => !semver.intersects(range, `^${wish}.0.0`));
  if (excluding !== undefined)
    return {
      version: node.version,
      because: 'the platform’s own',
      warning: `${because} is made for Node ${wish}, which ${excluding.name} in ${excluding.lock} does not run on (${excluding.range}); ${node.version} is used.`,
    };
  if (nodeMajors.includes(Number(wish))) return { version: wish, because };
  return {
    version: node.version,
    because: 'the platform’s own',
    warning: `${because} is made for Node ${wish}, which isn’t offered; ${node.version} is used.`,
  };
}

/** Bound of a range, longer than people write: semver itself bounds versions but not ranges. */
const maxRangeCharacters = 256;

function parseRange(wish: string): string | null {
  if (wish.length > maxRangeCharacters) return null;
  const text = wish.replace(/^v(?=\d)/, '');
  if (/^(node|latest|current|stable|lts\/\*|lts|\*)$/i.test(text)) return '*';
  const codename = /^lts\/(\w+)$/i.exec(text)?.[1]?.toLowerCase();
  return semver.validRange(codename === undefined ? text : (named[codename] ?? text));
}
