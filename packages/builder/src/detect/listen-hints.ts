import { ownSource } from './required-variables.ts';
import type { SourceTree } from './source-tree.ts';
import { exampleFile } from './variables/example-files.ts';

// Each pattern begins with a fixed word and every repetition is bounded: one pass reads any file.
const readsPort =
  /\benv\.PORT\b|\benv\[['"]PORT['"]\]|(?:getenv|environ\.get|env|config)\([ \t]{0,20}['"]PORT['"]|environ\[['"]PORT['"]\]|\$\{?PORT\b/;
const opensPort = {
  node: /\bcreateServer\(/,
  python: /HTTPServer\(|\bserve_forever\(|\bstart_server\(|\brun_app\(|\buvicorn\.run\(|\.run\([ \t]{0,20}host[ \t]{0,20}=/,
};
const namesPort = /^(?:export )?PORT[ \t]{0,20}=/m;

/**
 * The reason to think that an agent listens although nothing decides that it is a web agent, such as 'server.js reads PORT'. It is no
 * proof: workers share templates with web agents. Undefined if nothing in the archive names a port.
 */
export function findListenHint(tree: SourceTree, docker: { port: { number: number } | null } | null): string | undefined {
  if (docker?.port) return `the Dockerfile has EXPOSE ${docker.port.number}`;
  for (const file of [...ownSource(tree), ...tree.files.filter((each) => /^[^/]+\.sh$/.test(each))]) {
    const text = tree.read(file) ?? '';
    if (readsPort.test(text)) return `${file} reads PORT`;
    if ((file.endsWith('.py') ? opensPort.python : opensPort.node).test(text)) return `${file} makes a server`;
  }
  const example = tree.files.find((each) => exampleFile.test(each) && !each.includes('/'));
  return example !== undefined && namesPort.test(tree.read(example) ?? '') ? `${example} names PORT` : undefined;
}
