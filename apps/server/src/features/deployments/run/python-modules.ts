import { packageOfModule } from '@paddock/builder';
import { missingOfPython } from './former-modules.ts';

/** A missing module: cause and next step, and the missing package, if it is certain. */
interface Missing {
  told: string;
  lacks?: string;
}

/** `text`: the agent's last lines, bounded; `installed`: the package that should contain the module, with its version. */
export function missingModule(module: string, text: string, installed?: string): Missing {
  const isPython = text.includes(`No module named '${module}'`);
  if (!isPython) return toAdd(module, /^((?:@[^/]{1,100}\/)?[^/]{1,200})/.exec(module)?.[1] ?? module);
  const told = ofPython(module, text, installed);
  return typeof told === 'string' ? { told } : told;
}

const toAdd = (module: string, lacks: string, isTold = module !== lacks): Missing => ({
  told: `The module '${module}' is missing: add ${isTold ? lacks : 'it'} to the dependencies and deploy again.`,
  lacks,
});

function ofPython(module: string, text: string, installed?: string): string | Missing {
  // A file loaded by its path belongs to no package.
  if (module.includes('/'))
    return `The file ${module}.py imports from its own package (from .x import y), and was loaded by its path: start it as a module, such as “python -m ${module.replaceAll('/', '.')}”.`;
  if (installed !== undefined)
    return `The module '${module}' is missing, though ${installed} is installed: that version brings it no more. Pin the version that the source was written for and deploy again.`;
  const former = missingOfPython(module);
  if (former !== undefined) return former;
  const [top = ''] = module.split('.');
  const full = top === 'google' ? ofGoogle(text) : (top === 'llama_index' && importedIntegration(module, text)) || module;
  const name = packageOfModule(full);
  const shown = full.startsWith('google.cloud.') ? 'google.cloud' : full;
  if (name !== undefined) return toAdd(shown, name, true);
  const parent = module.split('.').slice(0, -1).join('.');
  // If its parent were missing, Python would have named the parent.
  if (parent !== '')
    return `The module '${module}' is missing, though ${parent} is there. If it is of a package, pin the version that the source was written for; if it is of the agent, put it into the archive.`;
  return toAdd(module, module.replaceAll('_', '-'), false);
}

/** The integration of LlamaIndex that the failing line imports, if Python names only its group: `llama_index.llms.ollama`. */
function importedIntegration(module: string, text: string): string | undefined {
  const lines = [...text.matchAll(/^[ \t]{1,20}(?:from|import) (llama_index\.[a-z_]{1,40}\.[a-z_]\w{1,60})/gm)];
  return lines.map(([, path = '']) => path).find((path) => path === module || path.startsWith(`${module}.`));
}

/** Many packages share the folder `google`; the import line shows which one is meant. */
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
