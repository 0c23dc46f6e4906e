import { looksSecret } from '@paddock/contract/secret-files';
import type { SourceTree } from './source-tree.ts';

/** More are counted. */
const maxNamedSecrets = 3;

/** A warning that names the files of an archive that look like secrets. */
export function warnOfSecrets(whole: Pick<SourceTree, 'files' | 'read'>): string[] {
  const found = whole.files.filter((path) => looksSecret(path, () => whole.read(path)));
  if (found.length === 0) return [];
  const more = found.length > maxNamedSecrets ? ` and ${found.length - maxNamedSecrets} more` : '';
  const names = found.slice(0, maxNamedSecrets).join(', ') + more;
  const isOne = found.length === 1;
  return [
    `The archive has ${names}, which ${isOne ? 'looks like a secret. Better set it' : 'look like secrets. Better set them'} under Variables.`,
  ];
}
