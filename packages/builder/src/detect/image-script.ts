import { scanFiles } from '../python/entry.ts';
import type { Detected } from '../python/plan-python.ts';
import { startedFiles } from '../python/unlisted.ts';
import { commandLine, wordsOf } from './commands.ts';
import type { SourceTree } from './source-tree.ts';
import type { GivenStart } from './starts.ts';

const reasonOf = ({ reasons }: Detected) => reasons.find(({ what }) => what === 'start')?.because ?? '';

/**
 * Whether an image runs a Python file of the archive that does not load the app of the detected start. An app that a document names is
 * better evidence.
 */
export function runsOtherScript({ command, folder }: GivenStart, detected: Detected, tree: SourceTree): boolean {
  const words = wordsOf(command);
  const [program = '', script = ''] = words.filter((word) => word !== '-u');
  const isScript = folder === undefined && /^python[\d.]{0,5}$/.test(program) && script.endsWith('.py') && tree.has(script);
  // The reason for an app that no document names is its file alone.
  const app = reasonOf(detected);
  if (!isScript || detected.framework === undefined || !app.endsWith('.py') || !tree.has(app) || app === script) return false;
  const source = tree.read(script) ?? '';
  // A script may also load the app by its name, as `uvicorn.run("web.api:app")` does.
  if (source.includes(app.replace(/\.py$/, '').replaceAll('/', '.')) || source.includes(app)) return false;
  const loaded = startedFiles(scanFiles(tree), [script]);
  return loaded !== undefined && !loaded.some(({ path }) => path === app);
}

/** Makes a choice of the detected app, whose framework then says nothing about the start. */
export function withoutApp(detected: Detected): void {
  const start = detected.start === null ? [] : [{ start: commandLine(detected.start), because: reasonOf(detected) }];
  delete detected.framework;
  detected.type = null;
  detected.choices = [...start, ...detected.choices];
  detected.reasons = detected.reasons.filter(({ what }) => what !== 'framework');
}
