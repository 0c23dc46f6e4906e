import { type FailureOutput, findFirstReason, type Reason, type Rule } from './reason.ts';

const noPackage = (name = ''): Reason => ({
  reason: `The package ${nameOnly(name)} was not found in the registry.`,
  hint: 'Check its spelling where the dependencies are listed; a private package needs a login, which the operator sets up.',
});
const noVersionWords = 'There is no version ';
/** Whether a failure means that the registry does not have the version. */
export const saysNoVersion = ({ message }: Error): boolean => message.startsWith(noVersionWords);

const noVersion = (wanted = '', newest = ''): Reason => ({
  reason: `${noVersionWords}${wanted.replace(/[.,;]$/, '')} in the registry.`,
  hint: `${newest === '' ? 'Ask for a version that exists' : `The newest is ${newest}: ask for one that exists`} where the dependencies are listed.`,
});
const elsewhere = (what: string): Reason => ({
  reason: `${what} is not in the archive.`,
  hint: 'Deploy the whole repository, with a paddock.yaml whose “root” is this folder.',
});
const otherFile = (name: string): Reason => ({
  reason: `The file that the registry has for ${name} is not the one that the lock file names: their checksums differ.`,
  hint: 'Make the lock file again. If it stays so, ask the operator to look at the registry or its mirror.',
});

/** The `name` part of `name`, `name@npm:1` and `name==1`. A scope keeps its `@`. */
function nameOnly(wanted: string): string {
  const end = wanted.slice(1).search(/[@=<>~!;[(,]/);
  return end === -1 ? wanted : wanted.slice(0, end + 1);
}

/** The package, or the file of one version, that an address of a registry names. */
function atAddress(address = ''): Reason {
  const path = address.replace(/%2f/i, '/');
  const mark = path.indexOf('/-/');
  if (mark === -1) return noPackage(path.split('/').at(-1));
  const parts = path.slice(0, mark).split('/');
  const name = parts.slice(parts.at(-2)?.startsWith('@') === true ? -2 : -1).join('/');
  // `thimble-1.3.4.tgz` of the package `thimble` or `@team/thimble`.
  const version = path.slice(mark + 3 + (name.split('/').at(-1) ?? '').length + 1).replace(/\.tgz$/, '');
  return noVersion(`${name}@${version}`);
}

const rules: Rule[] = [
  [/\bHash mismatch for `(\S{1,200})`/, ([, name = '']) => otherFile(name)],
  [/EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY|DO NOT MATCH THE HASHES|YN0018/, () => otherFile('a package')],
  // uv and poetry: the name comes first, then the version.
  [/\b[Bb]ecause (\S{1,200}) was not found in the package registry/, ([, name]) => noPackage(name)],
  [/\b[Bb]ecause there (?:is no version|are no versions) of (\S{1,200})/, ([, wanted]) => noVersion(wanted)],
  [
    /\bBecause only [\w.-]{1,100}[<=]=(\S{1,100}) is available and you require (\S{1,200})/,
    ([, newest, wanted]) => noVersion(wanted, newest),
  ],
  [/\bBecause only \S{1,200} (?:is|are) available and you require (\S{1,200})/, ([, wanted]) => noVersion(wanted)],
  [/\bdepends on (\S{1,200}) \(\*\) which doesn't match any versions/, ([, name]) => noPackage(name)],
  [/\bdepends on (\S{1,200} \([^()\s]{1,60}\)) which doesn't match any versions/, ([, wanted]) => noVersion(wanted)],
  [/^Package (\S{1,200} \([^)]{1,100}\)) not found/, ([, wanted]) => noVersion(wanted)],
  // pip
  [/requirement (\S{1,200}) (?:\(from [^()]{1,200}\(line \d{1,6}\)\) )?\(from versions: none\)/, ([, name]) => noPackage(name)],
  [
    /satisfies the requirement (\S{1,200}) (?:\(from [^()]{1,200}\(line \d{1,6}\)\) )?\(from versions: \d/,
    ([, wanted]) => noVersion(wanted),
  ],
  [/No matching distribution found for (\S{1,200})/, ([, name]) => noPackage(name)],
  [
    /Unable to find candidates? for (\S{1,200})|CandidateNotFound: \S{0,40} ?No candidate is found for `?(\S{1,200}?)`? /,
    ([, a, b]) => noPackage(a || b),
  ],
  // npm, pnpm, yarn, bun
  [/^(?:404 )?Not Found - GET (\S{1,400}\.tgz)/, ([, address]) => atAddress(address)],
  [/The requested resource '(\S{1,200})' could not be found/, ([, name]) => noPackage(name)],
  [/404 {1,3}'(\S{1,200})' is not in this registry/, ([, name]) => noPackage(name)],
  [/^(\S{1,200}) is not in the npm registry/, ([, name]) => noPackage(name)],
  [/No matching version found for (\S{1,200})/, ([, wanted]) => noVersion(wanted)],
  [/Couldn't find package "([^"]{1,200})"/, ([, name]) => noPackage(name)],
  [
    /Couldn't find any versions for "([^"]{1,200})" that matches "([^"]{1,200})"/,
    ([, name, version]) => noVersion(`${version} of ${name}`),
  ],
  [/YN0035: \W{0,4}(\S{1,200}): Package not found/, ([, name]) => noPackage(name)],
  [/YN0082: \W{0,4}(\S{1,200}): No candidates found/, ([, wanted = '']) => noVersion(wanted.replace('@npm:', '@'))],
  [/No version matching "([^"]{1,200})" found for specifier "([^"]{1,200})"/, ([, version, name]) => noVersion(`${version} of ${name}`)],
  [/^error: GET (\S{1,400}) - 404/, ([, address]) => atAddress(address)],
  [/ERR_PNPM_FETCH_404\W{1,3}GET (\S{1,400}): /, ([, address]) => atAddress(address)],
  // Folders and repositories
  [/no package named "([^"]{1,200})" is present in the workspace/, ([, name]) => elsewhere(`The package ${name} of the workspace`)],
  [/Error: (\S{1,200}): Workspace not found/, ([, name = '']) => elsewhere(`The package ${name.split('@workspace')[0]} of the workspace`)],
  [/Workspace dependency "([^"]{1,200})" not found/, ([, name]) => elsewhere(`The package ${name} of the workspace`)],
  [
    /Unsupported URL Type "workspace:"/,
    () => ({
      reason: 'package.json asks for “workspace:…”, which npm does not know.',
      hint: 'Deploy with the lock file of the manager that it was written for (pnpm-lock.yaml or yarn.lock).',
    }),
  ],
  [/Distribution not found at: file:\/\/(\S{1,300})/, ([, path = '']) => elsewhere(`The folder ${path}, which a dependency names,`)],
  [
    /fatal: could not read Username for 'https?:\/\/([^']{1,200})'|[Rr]epository '?https?:\/\/(\S{1,300}?)'? not found|remote: (Repository not found)/,
    ([, host, repository]) => ({
      reason: `A Git repository that a dependency names ${host || repository ? `(${host || repository}) ` : ''}is private or does not exist.`,
      hint: 'Check its address, or publish the package where this machine may fetch it.',
    }),
  ],
];

/** A package, a version, a folder or a repository that does not exist at the given place. */
export const notFoundReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, rules);
