import { ownSource } from './required-variables.ts';
import type { SourceTree } from './source-tree.ts';

const maxFiles = 100;
const maxCharacters = 200_000;

// Each pattern begins with a fixed word and every repetition is bounded: one pass reads any file.
const creates = /CREATE EXTENSION (?:IF NOT EXISTS )?\\?["']?vector\b/i;
const listed =
  /^(?:extensions[ \t]{0,4}=[ \t]{0,4}\[.{0,200}\bvector\b)|\bimage:[ \t]{0,4}["']?(?:docker\.io\/)?(?:pgvector|ankane)\/pgvector\b/;
const lists = /(?:^|\/)(?:requirements[^/]{0,40}\.txt|pyproject\.toml|package\.json)$/;
const requires = /^[ \t]{0,8}["']?(?:pgvector|vecs)(?:["'<>=~!;[ ]|$)/;
const declares = /(?:\.sql|\.prisma|(?:^|\/)(?:docker-)?compose[\w.-]{0,40}\.ya?ml)$/;

/** The file and line that show that the archive needs the PostgreSQL extension `vector` (pgvector); undefined if nothing does. */
export function findVectorExtension(tree: SourceTree): string | undefined {
  const declaring = tree.files.filter((file) => declares.test(file)).slice(0, maxFiles);
  const listing = tree.files.filter((file) => lists.test(file) && !file.includes('/')).slice(0, maxFiles);
  return (
    findLine(tree, declaring, (line) => creates.test(line) || listed.test(line.trim())) ??
    findLine(tree, ownSource(tree), (line) => creates.test(line)) ??
    findLine(tree, listing, (line) => requires.test(line))
  );
}

function findLine(tree: SourceTree, files: string[], holds: (line: string) => boolean): string | undefined {
  for (const file of files) {
    const text = (tree.read(file) ?? '').slice(0, maxCharacters);
    if (!text.includes('vec')) continue;
    const at = text.split('\n').findIndex((line) => holds(line.slice(0, maxLine)));
    if (at !== -1) return `${file}:${at + 1}`;
  }
  return undefined;
}

const maxLine = 500;
