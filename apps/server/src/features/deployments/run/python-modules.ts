import { packageOfModule } from '@paddock/builder';
import { missingOfPython } from './former-modules.ts';

/** The cause and the next step for a missing module. `text`: the agent's last lines, bounded; `installed`: the package that should bring it, with its version. */
export function missingModule(module: string, text: string, installed?: string): string {
  // A file that was loaded by its path has no package around it.
  if (module.includes('/'))
    return `The file ${module}.py imports from its own package (from .x import y), and was loaded by its path: start it as a module, such as “python -m ${module.replaceAll('/', '.')}”.`;
  if (installed !== undefined)
    return `The module '${module}' is missing, though ${installed} is installed: that version brings it no more. Pin the version that the source was written for and deploy again.`;
  const ofPython = text.includes('ModuleNotFoundError') ? missingOfPython(module) : undefined;
  if (ofPython !== undefined) return ofPython;
  const full = module.split('.')[0] === 'google' ? ofGoogle(text) : module;
  const name = packageOfModule(full);
  const shown = full.startsWith('google.cloud.') ? 'google.cloud' : full;
  if (name !== undefined) return `The module '${shown}' is missing: add ${name} to the dependencies and deploy again.`;
  const parent = module.split('.').slice(0, -1).join('.');
  // Without its parent, Python would have named the parent.
  if (parent !== '' && text.includes('ModuleNotFoundError'))
    return `The module '${module}' is missing, though ${parent} is there. If it is of a package, pin the version that the source was written for; if it is of the agent, put it into the archive.`;
  return `The module '${module}' is missing: add it to the dependencies and deploy again.`;
}

/** Many packages share the folder `google`; the line that imports tells which one is meant. */
function ofGoogle(text: string): string {
  const line = /^[ \t]{1,20}(?:from|import) (google(?:\.\w{1,60}){0,4})(?: import (\w{1,60}))?/m.exec(text);
  const [, from = 'google', what] = line ?? [];
  return /^google(?:\.cloud)?$/.test(from) && what !== undefined
    ? `${from}.${what}`
    : from
        .split('.')
        .slice(0, from.startsWith('google.cloud') ? 3 : 2)
        .join('.');
}
