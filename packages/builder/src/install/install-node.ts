import { rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree, statBelow } from '@paddock/safe-files';
import type { UnfetchedPackage } from '../plan.ts';
import { computeCutoff } from './anew.ts';
import { copyInputs, digests } from './inputs.ts';
import { acquireLayer, type LayerNotes, layerKey } from './layers.ts';
import { installPackages } from './lock-fallbacks.ts';
import { canBeOlder } from './node-packages.ts';
import type { Installed, InstallRequest } from './request.ts';
import type { ToolName } from './tools.ts';

/** Installs `node_modules`: as a layer from package.json and lock file alone, or within the source if the install needs the source. */
export async function installNode(request: InstallRequest): Promise<Installed> {
  const { plan, install, appDir, tools, context, say } = request;
  const root = plan.root === '' ? '/app' : `/app/${plan.root}`;
  const node = await tools.node(plan.version ?? '');
  const manager = await tools.packageManager(install.manager as ToolName, install.manager_version);
  const launchers = await tools.launchers();
  const isUnlocked = canBeOlder(install);
  const installFolder = install.folder ?? plan.root;
  const cwd = installFolder === '' ? '/app' : `/app/${installFolder}`;
  const result = {
    path: [...new Set([root, cwd])].map((folder) => `${folder}/node_modules/.bin`),
    env: {},
    warnings: [] as string[],
    isUnlocked,
  };
  const name = `${install.manager} ${manager.version}`;
  const unfetched: UnfetchedPackage[] = [];
  const warn = (text: string) => void result.warnings.push(text);
  const parts = { request, node, manager, cwd, warn, markIncomplete: (found: UnfetchedPackage[]) => void unfetched.push(...found) };
  const announce = () => say(`Installing dependencies with ${name} (${install.inputs[1] ?? 'package.json'}) …`);
  if (install.needs_source) {
    announce();
    await installPackages({
      ...parts,
      tree: appDir,
      folder: installFolder,
      mounts: [{ from: appDir, at: '/app', writable: true }, launchers],
    });
    return { ...result, mounts: [], layerKeys: [], installed: true, unfetched };
  }
  const folder = join(appDir, plan.root);
  const key = layerKey({
    kind: 'node',
    team: request.teamId,
    platform: request.platform,
    node: node.version,
    manager: name,
    dev: install.dev,
    ...(install.extra.length === 0 ? {} : { extra: install.extra }),
    inputs: await digests(folder, install.inputs),
    ...(request.onlyOlder ? { as_of: computeCutoff(request) } : {}),
  });
  const fill = async (content: string, notes: LayerNotes) => {
    const scratch = `${content}-source`;
    try {
      await copyInputs(folder, scratch, install.inputs);
      announce();
      await installPackages({
        ...parts,
        warn: notes.warn,
        markIncomplete: (found) => {
          parts.markIncomplete(found);
          notes.markIncomplete();
        },
        tree: scratch,
        folder: '',
        mounts: [{ from: scratch, at: root, writable: true }, launchers],
      });
      if (statBelow(scratch, 'node_modules') === undefined) return;
      await rmdir(content);
      await rename(join(scratch, 'node_modules'), content);
    } finally {
      await removeTree(scratch);
    }
  };
  const layer = await acquireLayer(request.dataDir, { key, hold: request.hold, fill }, context.signal);
  if (layer.reused) say(`Dependencies unchanged, layer ${key.slice(0, 8)}… reused.`);
  return {
    ...result,
    mounts: [{ from: layer.path, at: `${root}/node_modules` }],
    layerKeys: [layer.key],
    unfetched,
    installed: !layer.reused,
    warnings: layer.warnings,
  };
}
