import { readOtherSystem, systemNames } from '../../other-systems.ts';
import { type FailureOutput, find, findFirstReason, lineAfter, type Reason, type Rule } from './reason.ts';

const exclude = (reason: string): Reason => ({ reason, hint: 'Loosen one of the two, or deploy with a lock file that worked.' });
const otherPython = (reason: string): Reason => ({
  reason,
  hint: 'Ask for a Python that fits (in .python-version, or “python” in paddock.yaml), or for another version of the package.',
});
const otherNode = (who: string, wanted: string, got: string): Reason => ({
  reason: `${who} needs Node ${wanted}, and this is Node ${got.replace(/^v/, '')}.`,
  hint: 'Ask for a Node that fits, in package.json (“engines”) or .nvmrc.',
  causedByNodeVersion: true,
});

/** Checked before the rules about versions that do not exist: pip reports versions for another Python in the same words. */
const earlyRules: Rule[] = [
  [
    /satisfies the requirement (\S{1,100}?)==([\w.]{1,40}) /,
    ([, name = '', version = ''], { lines }) => {
      const ignored = lines.find(
        (line) => line.includes('require a different python version') && line.includes(` ${version} Requires-Python `),
      );
      const wanted = ignored?.split(` ${version} Requires-Python `)[1]?.split(';')[0]?.trim();
      return wanted === undefined ? undefined : otherPython(`${name}==${version} needs Python ${wanted}, which this one is not.`);
    },
  ],
];
export const otherPythonReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, earlyRules);

const nameOf = (requirement: string) => /^[\w.-]{1,200}/.exec(requirement)?.[0];

const excludedWords = ', but the dependencies ask for ';
const peerLine = /(?:peer|Could not resolve dependency:) (\S{1,100}@"[^"]{1,60}") from (\S{1,100})/;

const rules: Rule[] = [
  // A wrong Python, reported by uv as a conflict.
  [
    /current Python version \(([\d.]{1,20})\) does not satisfy Python(\S{1,60}) and (?:all versions of )?(\S{1,200}) depends? on/,
    ([, got = '', wanted = '', name = '']) => otherPython(`${name} needs Python ${wanted}, and this is Python ${got}.`),
  ],
  [
    /\b[Bb]ecause (\S{1,200}) has no wheels with a matching Python (?:ABI|version|implementation) tag/,
    ([, name = ''], output) => {
      const got = find(output, /You require CPython ([\d.]{1,10})/);
      const tags = find(output, /with the following Python \w{1,20} tags: ([`\w, ]{1,200})/)?.replaceAll('`', '');
      return otherPython(
        `${name} has no prebuilt package for ${got === undefined ? 'this Python' : `Python ${got}`}${tags === undefined ? '' : `, only for ${tags}`}.`,
      );
    },
  ],
  [
    /\b[Bb]ecause (\S{1,200}) has no wheels with a matching platform tag/,
    ([, name = ''], { lines }) => {
      const other = lines.map(readOtherSystem).find((one) => one !== undefined);
      return other === undefined
        ? { reason: `${name} has no prebuilt package for this machine.`, hint: 'Ask for another version of it, or do without it.' }
        : {
            reason: `${name} exists for ${systemNames[other.system]} only.`,
            hint: `Remove it from the dependencies, or write \`${other.name}; sys_platform == "${other.system}"\`.`,
          };
    },
  ],
  // The registry lacks a dependency of a package.
  [
    /\b[Bb]ecause only (\S{1,200}) is available and (\S{1,200}) depends on (\S{1,200}) /,
    ([, available = '', name = '', needs = '']) => ({
      reason: `${name} needs ${needs.replace(/,$/, '')}, and the registry has only ${available}.`,
      hint: `Ask for another version of ${name.split(/[=<>~!]/, 1)[0]}, or use a registry that has the version it needs.`,
    }),
  ],
  // Versions that exclude each other.
  [
    /\b[Bb]ecause (?:all versions of )?(\S{1,200}) depends? on (\S{1,200}) and /,
    ([, name = '', needs = ''], output) => {
      const required = output.lines.flatMap((line) =>
        [...line.matchAll(/\byou require (\S{1,200}?),? (?:we|and)\b/g)].map(([, one = '']) => one),
      );
      const asked = required.find((one) => nameOf(one) === nameOf(needs)) ?? find(output, /And because you require (\S{1,200}?),? /);
      const wanted = asked !== undefined && nameOf(asked) === nameOf(name) ? undefined : asked;
      const other = output.lines
        .flatMap((line) =>
          [...line.matchAll(/conclude that (\S{1,200}) and (\S{1,200}) are incompatible/g)].flatMap(([, one, two]) => [one, two]),
        )
        .find((one) => one !== undefined && one !== name);
      if (wanted === undefined && other !== undefined) return exclude(`${name} needs ${needs}, which ${other} excludes.`);
      return exclude(
        wanted === undefined
          ? `No versions fit each other: ${name} needs ${needs}, which the rest excludes.`
          : `${name} needs ${needs}${excludedWords}${wanted}.`,
      );
    },
  ],
  [
    /^The conflict is caused by:/,
    (_, { lines }) => {
      const at = lines.findIndex((line) => line.startsWith('The conflict is caused by:'));
      const [one, other] = lines.slice(at + 1, at + 3);
      return one === undefined || other === undefined ? undefined : exclude(`Two dependencies exclude each other: ${one}, and ${other}.`);
    },
  ],
  [
    peerLine,
    ([, ...firstOfAll], output) => {
      // npm lists other peers before, under what it found.
      const unresolved = peerLine.exec(lineAfter(output, /Could not resolve dependency:$/) ?? '')?.slice(1);
      const [needs = '', name = ''] = unresolved ?? firstOfAll;
      const found = find(output, /Found: (\S{1,200})/);
      return exclude(`${name} needs ${needs.replaceAll('"', '')}${excludedWords}${found ?? 'another version'}.`);
    },
  ],
  [
    /unmet peer (\S{1,200}): found (\S{1,60})/,
    ([, needs = '', found = ''], output) =>
      exclude(`${find(output, /─[┬─] (\S{1,100}) \S{1,40}$/) ?? 'A dependency'} needs ${needs}, but version ${found} is installed.`),
  ],
  [
    /^(?:And |So, )?[Bb]ecause (.{1,300}), version solving failed/,
    ([, why = '']) => exclude(`No versions fit each other, because ${why}.`),
  ],
  [
    /No solution found when resolving|ResolutionImpossible|ERESOLVE/,
    () => exclude('The versions that the dependencies ask for exclude each other.'),
  ],
  // A wrong Python or Node.
  [
    /Package '(\S{1,100})' requires a different Python: (\S{1,20}) not in '([^']{1,60})'/,
    ([, name = '', got = '', wanted = '']) => otherPython(`${name} needs Python ${wanted}, and this is Python ${got}.`),
  ],
  [
    /Python version ([\d.]{1,20}) is not supported by the project \(([^()]{1,60})\)/,
    ([, got, wanted]) => otherPython(`The project needs Python ${wanted}, and this is Python ${got}.`),
  ],
  [
    /Required: \{"node":"([^"]{1,60})"/,
    ([, wanted = ''], output) =>
      otherNode(
        find(output, /compatible with your version of node\/npm: (\S{1,100}@\S{1,60})/)?.replace('undefined', 'The project') ??
          'The project',
        wanted,
        find(output, /Actual: {1,5}\{"(?:npm":"[^"]{1,20}",")?node":"([^"]{1,20})"/) ?? 'another',
      ),
  ],
  [
    /^Expected version: (.{1,60})/,
    ([, wanted = ''], output) => otherNode('The project', wanted, find(output, /^Got: (\S{1,20})/) ?? 'another'),
  ],
  [
    /^(?:error )?(\S{1,200}): The engine "node" is incompatible with this module\. Expected version "([^"]{1,60})"\. Got "([^"]{1,20})"/,
    ([, name = '', wanted = '', got = '']) => otherNode(name.replace(/@$/, ''), wanted, got),
  ],
  [
    /Unsupported platform for (\S{1,200}): wanted/,
    ([, name = '']) => ({
      reason: `${name} does not run on this kind of machine.`,
      hint: 'Do without it, or make it an optional dependency.',
    }),
  ],
  // Lock files
  [
    /lock ?file|Pipfile\.lock/i,
    (_, { text }) =>
      outOfStep.test(text)
        ? {
            reason: 'The lock file does not fit the file that lists the dependencies.',
            hint: 'Make the lock file again and deploy with it.',
          }
        : undefined,
  ],
];

const outOfStep =
  /needs to be updated|out of date|not up to date|can only install packages when|would have been modified by this install|had changes, but lockfile is frozen|changed significantly since|is out of sync/i;

/** Whether npm failed because a package is not made for the version of another one that is installed beside it. */
export const saysPeersExclude = ({ message }: Error): boolean => message.includes(excludedWords);

/** Versions that exclude each other, need another language version, or are not those of the lock file. */
export const versionReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, rules);
