import { listBelow, StrangeFile } from '@paddock/safe-files';

/**
 * The names in a folder of an agent's archive or environment; none if it is not a folder, has more than `max` entries, or is behind a link.
 */
export function namesBelow(root: string, path: string, max: number): string[] {
  try {
    return (listBelow(root, path, max) ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof StrangeFile) return [];
    throw error;
  }
}
