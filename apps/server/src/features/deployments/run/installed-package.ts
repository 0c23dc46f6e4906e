import type { Artifact } from '@paddock/builder';
import { namesBelow } from './names-below.ts';

/** Maximum number of listed packages. */
export const maxEntries = 5000;

type Built = Pick<Artifact, 'mounts' | 'plan'>;

/** Name and version, if it is installed: installers create a folder with this name for each package. */
export function installedPackage(name: string | undefined, artifact: Built): string | undefined {
  const packages = findSitePackages(artifact);
  if (name === undefined || packages === undefined) return undefined;
  for (const entry of namesBelow(packages.environment, packages.below, maxEntries)) {
    const [distribution = '', version = ''] = entry.endsWith('.dist-info') ? entry.slice(0, -'.dist-info'.length).split('-') : [];
    if (sameName(distribution) === sameName(name)) return `${name} ${version}`;
  }
  return undefined;
}

const sameName = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** A Python agent's environment, and the folder of packages in it. */
export function findSitePackages({ mounts, plan }: Built): { environment: string; below: string } | undefined {
  const environment = mounts.find(({ at }) => at.endsWith('/.venv'))?.from;
  const minor = plan.version?.split('.').slice(0, 2).join('.');
  return environment === undefined || minor === undefined ? undefined : { environment, below: `lib/python${minor}/site-packages` };
}
