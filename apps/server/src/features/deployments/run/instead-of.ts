import { posix } from 'node:path';
import type { Artifact } from '@paddock/builder';
import { lookBelow } from '@paddock/safe-files';
import { lastErrorLine } from './last-error.ts';
import { absentPath } from './missing.ts';
import { namesBelow } from './names-below.ts';

/** Bound of the neighbours that are looked at. */
const MAX_ENTRIES = 500;
/** Words that authors put into the name of a file that a person is to copy and fill in. */
const TEMPLATE = /^(?:example|sample|template|dist|defaults?|tpl)$/i;
/** Folders that builds write to. */
const BUILT = /^(?:dist|build|out|lib)\/(.{1,200})$/;

/** A sentence about a template, or a source file, that the archive has for the file a start did not find. Undefined if it has neither. */
export function insteadOf(tail: string[], { app_dir, cwd }: Pick<Artifact, 'app_dir' | 'cwd'>): string | undefined {
  const named = absentPath(lastErrorLine(tail) ?? '');
  if (named === undefined) return undefined;
  const path = named.startsWith('/') ? posix.relative('/app', posix.normalize(named)) : posix.join(cwd, named);
  if (path.startsWith('..')) return undefined;
  const folder = posix.dirname(path);
  const name = posix.basename(path);
  const neighbours = namesBelow(app_dir, folder === '.' ? '' : folder, MAX_ENTRIES);
  const template = neighbours.find((one) => one !== name && withoutTemplate(one) === withoutTemplate(name));
  if (template !== undefined) return `The archive has ${posix.join(folder, template)}: copy it to ${name} and fill it in.`;
  const built = BUILT.exec(path)?.[1];
  const source = built === undefined ? undefined : [`src/${built}`, built].find((each) => lookBelow(app_dir, each) !== undefined);
  return source && `The archive has ${source}, which the build does not copy to ${posix.dirname(path)}: let the build script do that.`;
}

/** `config.example.yml` and `config.yml` alike. */
const withoutTemplate = (name: string) =>
  name
    .split(/[._-]/)
    .filter((word) => !TEMPLATE.test(word))
    .join('.');
