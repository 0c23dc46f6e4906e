import { composeHosts, hostIn } from './compose-file.ts';
import { ownSource } from './required-variables.ts';
import type { SourceTree } from './source-tree.ts';

const maxCharacters = 200_000;
const maxLine = 500;
const maxTold = 3;
const quoted = /["'`]([\w+:/@.?=&%-]{2,200})["'`]/g;
const maxBefore = 40;
/** `host="redis"`, `REDIS_HOST = 'redis'`: a word alone may be anything. */
const asHost = /host["']?\s{0,3}[=:]\s{0,3}$/i;
/** A variable or a field may give another value. */
const readsVariable = /environ|getenv|\benv\b|\bconfig\(|\bField\(|settings\.get|^\s{1,40}\w{1,60}: ?[\w[\] |]{1,60}=/i;

/**
 * Warnings about programs that the archive needs and its author runs beside it: services of a compose file whose names the source has as
 * fixed hosts. `whole`: the archive; `tree`: the agent's folder.
 */
export function warnOfServices(whole: SourceTree, tree: SourceTree): string[] {
  const own = composeHosts(tree);
  const hosts = own.size > 0 ? own : composeHosts(whole);
  const fixed = hosts.size === 0 ? [] : fixedHosts(tree, new Set(hosts.keys()));
  return fixed.map(
    ({ at, host }) =>
      `${at} connects to the host “${host}”, a service of ${hosts.get(host)?.file} that is not deployed with the agent. Let a variable give the address, and set it under Variables.`,
  );
}

/** The first place for each host that the source names without a variable. */
function fixedHosts(tree: SourceTree, hosts: Set<string>): { at: string; host: string }[] {
  const found = new Map<string, string>();
  for (const file of ownSource(tree)) {
    const text = (tree.read(file) ?? '').slice(0, maxCharacters);
    // The fields of a settings class are variables.
    if (text.includes('BaseSettings') || ![...hosts].some((host) => text.includes(host))) continue;
    for (const [index, line] of text.split('\n').entries()) {
      if (readsVariable.test(line) || /^\s{0,200}(?:#|\/\/|\*)/.test(line)) continue;
      const bounded = line.slice(0, maxLine);
      for (const { 1: value = '', index: from } of bounded.matchAll(quoted)) {
        const host = hostIn(value);
        const isHost =
          host !== undefined && hosts.has(host) && (value !== host || asHost.test(bounded.slice(Math.max(0, from - maxBefore), from)));
        if (isHost && !found.has(host) && found.size < maxTold) found.set(host, `${file}:${index + 1}`);
      }
    }
  }
  return [...found].map(([host, at]) => ({ at, host }));
}
