import { posix } from 'node:path';
import type { FoundApp } from './apps.ts';
import type { EntryFile } from './entry.ts';
import { importedBy, importTargets } from './imported.ts';

/** Starts a server for an app that is among its arguments. */
const servers = /^(?:uvicorn|waitress|hypercorn|eventlet\.wsgi|werkzeug\.serving)\.\w{1,40}$|WSGIServer$|(?:^|\.)serve_forever$/;
/** Waits for messages of a chat, and does not return. */
const polls = /(?:^|\.)(?:(?:run|infinity|start)_polling|polling)$/;
const ofDiscord = /^(?:discord|nextcord|disnake|interactions|hikari|pyrogram)$/;
const socketMode = /^slack_bolt\.adapter\.socket_mode\.(?:\w{1,40}\.)*(?:Async)?SocketModeHandler$/;
/** Modules of programs that need a screen, or a server of their own. */
const noScript = /^(?:tkinter|customtkinter|webview|PyQt\d|PySide\d|streamlit|chainlit|pytest)$/;

/**
 * The scripts that start an app's server in a thread or a process beside their own work, such as the bot that a small web server keeps
 * awake; and the scripts of bots that have an app of their own. A server would run the app alone, and not the bot. By the file of each
 * such app.
 */
export function findCompanions(files: EntryFile[], apps: FoundApp[]): Map<string, string[]> {
  const importers = importedBy(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Map<string, string[]>();
  for (const app of apps) {
    const starters = files.filter((file) => runsInThread(app, file, { importers, byPath })).map(({ path }) => path);
    const bots = reach([app.file.path], importers).filter((path) => isBot(byPath.get(path)));
    const around = [...new Set([...reach(starters, importers), ...bots])].filter((path) => runsAlone(byPath.get(path)));
    const roots = around.filter((path) => importers.get(path)?.length === 0);
    const scripts = roots.length > 0 ? roots : around.filter((path) => byPath.get(path)?.module.hasMain);
    if (scripts.length > 0) found.set(app.file.path, scripts);
  }
  return found;
}

interface Archive {
  /** The files that import a file, by its path. */
  importers: Map<string, string[]>;
  byPath: Map<string, EntryFile>;
}

/** Whether a file that has or imports an app runs its server in a thread or a process. */
function runsInThread(app: FoundApp, file: EntryFile, { importers, byPath }: Archive): boolean {
  const { path, module } = file;
  if (module.threads.size === 0 || (path !== app.file.path && !importers.get(app.file.path)?.includes(path))) return false;
  const serves = (call: string) => servers.test(call) || `.${call}`.endsWith(`.${app.variable}.run`);
  const folder = posix.dirname(path);
  return [...module.threads].some((target) => {
    if (serves(target)) return true;
    const dot = target.lastIndexOf('.');
    const places = dot === -1 ? [path] : importTargets(target.slice(0, dot), folder, [folder, '.', 'src']);
    const definer = places.map((place) => byPath.get(place)).find((each) => each !== undefined);
    const makes = definer?.module.functions.find(({ name }) => name === target.slice(dot + 1))?.makes ?? [];
    return makes.some(serves);
  });
}

/** The files and those that import them, directly or through others. */
function reach(paths: string[], importers: Map<string, string[]>): string[] {
  const seen = new Set(paths);
  // A loop over a set also visits entries that are added during the loop.
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return [...seen];
}

/** Whether the main part of a file waits for messages of a chat. */
function isBot(file: EntryFile | undefined): boolean {
  if (file === undefined) return false;
  const { firmCalls, imports, calls } = file.module;
  const isDiscord = [...imports].some((name) => ofDiscord.test(name));
  const isSocketMode = [...calls].some((name) => socketMode.test(name));
  return [...firmCalls].some((call) => {
    const [method = '', owner = ''] = call.split('.').reverse();
    const runs = method === 'run' || method.startsWith('start');
    return polls.test(call) || (isDiscord && runs && /bot|client/i.test(owner)) || (isSocketMode && runs && /handler/i.test(owner));
  });
}

/** Whether a file does something when it is run, without a screen or a terminal. */
function runsAlone(file: EntryFile | undefined): boolean {
  if (file === undefined) return false;
  const { hasMain, firmCalls, calls, imports } = file.module;
  const isRunning = hasMain || isBot(file) || [...firmCalls].some((call) => /(?:^|\.)(?:run|start|keep_alive)$/.test(call));
  return isRunning && !calls.has('input') && ![...imports].some((name) => noScript.test(name));
}
