import { createHash } from 'node:crypto';
import { arch } from 'node:os';
import type { PlanSettings } from './detect/settings.ts';
import type { Toolchains } from './detect/toolchains.ts';

/** The parts of a build request that change the artifact. */
interface Keyed {
  settings: PlanSettings;
  teamId: string;
  buildEnv?: Record<string, string>;
  newestFailed?: { error: string; below?: string };
}

interface KeyParts {
  sourceHash: string;
  toolchains: Toolchains;
  rules: string;
}

/** The key of the artifact that this machine makes of this request. Equal keys mean equal artifacts. */
export function artifactKey({ settings, teamId, buildEnv, newestFailed }: Keyed, { sourceHash, toolchains, rules }: KeyParts): string {
  const languages = [...toolchains.python.map((p) => p.version), toolchains.node.version];
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    rules,
    sourceHash,
    teamId,
    sorted(settings),
    sorted(buildEnv ?? {}),
    languages,
    toolchains.system,
    platform(),
    newestFailed,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

let platformName: string | undefined;

/** Node knows the C library only as part of a long report on the whole process. */
export function platform(): string {
  const libc = () => (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime ?? 'musl';
  platformName ??= `${process.platform}-${arch()}-${libc()}`;
  return platformName;
}
