import { posix } from 'node:path';
import { readPackageJson } from '../node/package-json.ts';
import type { SourceTree } from './source-tree.ts';
import { pythonFiles } from './suggestions.ts';

/** Tools that make pages which a browser runs by itself. */
const pageTools = ['vite', 'react-scripts', '@angular/core', '@vue/cli-service', 'parcel'];
/** Frameworks of pages with a server of their own. In a folder that is named as one of pages they are pages, too. */
const pageServers = ['next', 'nuxt', 'astro', '@sveltejs/kit', '@remix-run/react', '@react-router/node'];
const servers =
  /^(?:express|fastify|hono|koa|@hapi\/hapi|@nestjs\/core|ws|socket\.io|polka|@mastra\/core|@modelcontextprotocol\/sdk|@langchain\/langgraph|discord\.js|telegraf|@slack\/bolt)$/;
/** A start script that runs a program of the folder. */
const ownServer = /^(?:NODE_ENV=\w{1,20} )?(?:node|tsx|ts-node|bun|nodemon)\b/;
const pageNames = /^(?:front-?end|client|ui|gui|web|web-?app|web-?ui|website|site|www|dashboard|landing)$/i;

/** Whether a folder has only pages, whose work is done by a server elsewhere. */
export function hasOnlyPages(tree: SourceTree, folder: string): boolean {
  const text = tree.read(`${folder}/package.json`);
  if (text === null || pythonFiles.some((file) => tree.has(`${folder}/${file}`))) return false;
  const { names, start } = readParts(text);
  if (ownServer.test(start)) return false;
  if (names.some((name) => servers.test(name))) return false;
  const uses = (tools: string[]) => names.some((name) => tools.includes(name));
  return uses(pageServers) ? pageNames.test(posix.basename(folder)) : uses(pageTools);
}

/** The names of its dependencies, and its start script. */
function readParts(text: string): { names: string[]; start: string } {
  try {
    const { dependencies, devDependencies, scripts } = readPackageJson(text);
    return { names: Object.keys({ ...dependencies, ...devDependencies }), start: scripts.start ?? '' };
  } catch {
    return { names: [], start: '' }; // a broken file is reported once its folder is chosen
  }
}
