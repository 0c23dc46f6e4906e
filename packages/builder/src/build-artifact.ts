import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { withPort } from './detect/commands.ts';
import type { Installed } from './install/request.ts';
import type { StartParts } from './install/start-tools.ts';
import type { Plan } from './plan.ts';
import type { Mount } from './step.ts';

interface Place {
  key: string;
  /** The final folder; `draft` is renamed to it. */
  home: string;
  draft: string;
}

interface Results {
  plan: Plan;
  installed: Installed;
  parts: StartParts;
  /** May be inside the draft's folder. */
  mounts: Mount[];
}

/** The artifact that a deployment starts from, with the paths that the finished draft will have. */
export function buildArtifact({ key, home, draft }: Place, { plan, installed, parts, mounts }: Results): Artifact {
  const { command, env } = withPort(plan.start, { ...parts.env, ...installed.env, ...plan.env });
  const path = [...installed.path, ...parts.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  return {
    key,
    plan,
    command,
    cwd: join(plan.root, plan.start_in ?? '').replace(/^\.$/, ''),
    warnings: plan.warnings,
    layer_keys: installed.layerKeys,
    app_dir: join(home, 'app'),
    mounts: mounts.map((mount) => ({ ...mount, from: movedFrom(mount.from, draft, home) })),
    env: { ...env, PATH: path },
  };
}

function movedFrom(path: string, draft: string, home: string): string {
  return path.startsWith(`${draft}/`) ? home + path.slice(draft.length) : path;
}
