import type { SourceTree } from '../source-tree.ts';
import { isAskable, type Mention } from './mention.ts';

const maxSchemas = 5;
const maxCharacters = 200_000;
const address = /^\s{0,8}(?:url|directUrl)\s{0,9}=\s{0,9}env\("([A-Z][A-Z0-9_]{1,63})"\)/;

/** Variables that the data sources of Prisma's schemas take their addresses from. */
export function readByPrisma(tree: SourceTree): Mention[] {
  const schemas = tree.files.filter((file) => file.endsWith('.prisma') && !/(?:^|\/)(?:node_modules|tests?|examples?)\//.test(file));
  return schemas.slice(0, maxSchemas).flatMap((file) =>
    (tree.read(file) ?? '')
      .slice(0, maxCharacters)
      .split('\n')
      .flatMap((line, index): Mention[] => {
        const name = line.length > 300 ? undefined : address.exec(line)?.[1];
        return name === undefined || !isAskable(name) ? [] : [{ name, at: `${file}:${index + 1}`, need: 'required' }];
      }),
  );
}
