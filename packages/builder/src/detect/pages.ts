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
const pageNames = /^(?:front-?end|client|ui|gui|web|web-?app|web-?ui|website|site|www|dashboard|landing)$/i;

/** Whether a folder has only pages, whose work is done by a server elsewhere. */
export function hasOnlyPages(tree: SourceTree, folder: string): boolean {
  const text = tree.read(`${folder}/package.json`);
  if (text === null || pythonFiles.some((file) => tree.has(`${folder}/${file}`))) return false;
  const names = readPackages(text);
  if (names.some((name) => servers.test(name))) return false;
  const uses = (tools: string[]) => names.some((name) => tools.includes(name));
  return uses(pageServers) ? pageNames.test(posix.basename(folder)) : uses(pageTools);
}

function readPackages(text: string): string[] {
  try {
    const { dependencies, devDependencies } = readPackageJson(text);
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    return []; // a broken file is reported once its folder is chosen
  }
}
