import type { SourceTree } from '../source-tree.ts';
import { archivePath } from './archive-path.ts';
import { type DockerSteps, sortRuns } from './runs.ts';
import { type Copy, parseStages, type Stage, stageNamed } from './stages.ts';
import { type DockerStart, resolveDockerStart } from './start.ts';

interface Image {
  name: string;
  line: number;
}

/** The contents of a Dockerfile: the start, port, images and steps of the image. Nothing of it is built. */
export interface DockerHints {
  start: DockerStart | null;
  port: { number: number; line: number } | null;
  /** Images that it is based on or copies from. The first is the likeliest to hold the agent's language. */
  images: Image[];
  steps: DockerSteps;
  last: Stage;
  /** Maps a path of the image to the path in the archive. */
  locate: (path: string) => string | null;
}

/** Reads the archive's Dockerfile. Null if there is none, or no image in it. */
export function readDockerfile(tree: SourceTree): DockerHints | null {
  const stages = parseStages(tree.read('Dockerfile') ?? '');
  const last = stages.at(-1);
  if (last === undefined) return null;
  const locate = (path: string) => archivePath(path, last, { stages, tree });
  const sources = copiedFrom(last, stages);
  const archive = (stage: Stage) => ({ tree, locate: (path: string) => archivePath(path, stage, { stages, tree }) });
  const steps = sortRuns(last.runs, archive(last));
  for (const stage of sources.stages) addSteps(steps, sortRuns(stage.runs, archive(stage)));
  const port = last.ports
    .map(({ text, line }) => ({ number: Number(/^\d{1,5}/.exec(text)?.[0]), line }))
    .find(({ number }) => number >= 1 && number <= 65_535);
  return {
    start: resolveDockerStart(last, archive(last)),
    port: port ?? null,
    images: [imageOf(last), ...sources.images, ...stages.toReversed().map(imageOf)],
    steps,
    last,
    locate,
  };
}

const imageOf = ({ image, imageLine }: Stage): Image => ({ name: image, line: imageLine });

/** Stages and images from which the last stage copies, directly or through others. */
function copiedFrom(last: Stage, stages: Stage[]): { stages: Stage[]; images: Image[] } {
  const found = new Set<Stage>([last]);
  const images: Image[] = [];
  // A loop over a set also visits entries that are added during the loop.
  for (const stage of found)
    for (const { from, line } of stage.copies.filter((copy): copy is Copy & { from: string } => copy.from !== null)) {
      const source = stageNamed(stages, from);
      if (source === undefined) images.push({ name: from, line });
      else found.add(source);
    }
  return { stages: [...found].slice(1).toReversed(), images: [...[...found].slice(1).map(imageOf), ...images] };
}

/** Adds the steps of an earlier stage. Its system packages are left out: they serve only its build and are not part of the image. */
function addSteps(to: DockerSteps, more: DockerSteps): void {
  const isNew = (command: string[], list: { command: string[] }[]) => !list.some((each) => each.command.join(' ') === command.join(' '));
  to.python.push(...more.python);
  to.lists.push(...more.lists);
  to.extras.push(...more.extras);
  to.builds.unshift(...more.builds.filter(({ command }) => isNew(command, to.builds)));
  to.fetches.push(...more.fetches.filter(({ command }) => isNew(command, to.fetches)));
  to.left.push(...more.left.filter(({ what }) => !to.left.some((each) => each.what === what)));
}

/** The version of a language from the images of the Dockerfile. The first group of `pattern` is the version. */
export function versionOfImage(tree: SourceTree, pattern: RegExp): { version: string; because: string } | null {
  for (const { name, line } of readDockerfile(tree)?.images ?? []) {
    const version = pattern.exec(name.slice(0, 300))?.[1];
    if (version !== undefined) return { version, because: `Dockerfile:${line} (FROM)` };
  }
  return null;
}
