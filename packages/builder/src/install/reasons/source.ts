import { packageOfModule } from '../../module-packages.ts';
import { packageOfProgram } from '../../program-packages.ts';
import { type FailureOutput, find, findFirstReason, lineAfter, type Reason, type Rule } from './reason.ts';

const compile = 'Correct it there and deploy again.';
const atPlace = (place: string, what: string): Reason => ({ reason: `${place ? `${place}: ` : ''}${what}`, hint: compile });

/** An import that cannot be resolved: a file of the project, or a package. */
function missing(name: string, from: string): Reason {
  const where = from === '' ? '' : `${tidy(from)} imports `;
  if (/^(?:[./~#]|@\/|file:)/.test(name))
    return { reason: `${where}“${name}”${where ? ', which' : ''} is not in the archive.`, hint: 'Add the file, or correct the import.' };
  return {
    reason: `${where}“${name}”${where ? ', which' : ''} is not among the dependencies.`,
    hint: 'Add that package to them and deploy again.',
    ...(isPackage.test(name) ? { missingPackage: packageOfModule(name) ?? name } : {}),
  };
}

/** A name with more parts may also be an alias for a folder in the compiler's settings. */
const isPackage = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/;

const tidy = (path: string) => path.replace(/^\.\//, '').replace(/^\[project\]\//, '');

const rules: Rule[] = [
  [
    /error TS5083: Cannot read file '([^']{1,200})'/,
    ([, file]) => ({
      reason: `tsconfig.json builds on ${file}, a file outside of the archive.`,
      hint: 'Deploy the whole repository, with a paddock.yaml whose “root” is this folder.',
    }),
  ],
  [
    /You can learn about all of the compiler options at https:\/\/aka\.ms\/tsc/,
    () => ({
      reason: 'tsc found neither a tsconfig.json nor files to compile, and printed its help.',
      hint: 'Put the tsconfig.json of the project into the archive (is it in a .gitignore?), or name another build command, and deploy again.',
    }),
  ],
  [
    /Cannot find type definition file for '([^']{1,100})'/,
    ([, name = '']) => ({
      reason: `The types ${name.includes('/') ? name : `@types/${name}`}, which tsconfig.json names, are not among the dependencies.`,
      hint: 'Add that package to them and deploy again.',
    }),
  ],
  [
    /^(\S{1,200})\((\d{1,7}),\d{1,7}\): error (TS\d{1,5}): (.{1,300})/,
    ([, file, line, code, what = '']) => typeError(`${file}:${line}`, { code, what }),
  ],
  [
    /^Type error: (.{1,300})/,
    ([, what = ''], output) => {
      const place = tidy(find(output, /^(\.\/\S{1,200}:\d{1,7}):\d{1,7}$/) ?? '');
      const module = absentModule(what);
      return module === undefined ? atPlace(place, what) : missing(module, place);
    },
  ],
  // Bundlers
  [/\[UNRESOLVED_IMPORT\] Could not resolve '([^']{1,200})' in (\S{1,200})/, ([, name = '', file = '']) => missing(name, file)],
  [/failed to resolve import "([^"]{1,200})" from "([^"]{1,300})"/, ([, name = '', file = '']) => missing(name, file)],
  [/Could not resolve "([^"]{1,200})" from "([^"]{1,300})"/, ([, name = '', file = '']) => missing(name, file)],
  [/\[ERROR\] Could not resolve "([^"]{1,200})"/, ([, name = ''], output) => missing(name, find(output, placeLine) ?? '')],
  [
    /Package path (\S{1,200}) is not exported from package (\S{1,300})/,
    ([, path = '', folder = ''], output) => {
      const name = (folder.split('node_modules/').at(-1) ?? '').replace(/[()]/g, '');
      const part = path.replace(/^\.\//, '');
      const from = tidy(find(output, /^(\.\/\S{1,200})$/) ?? 'The source');
      return {
        reason: `${from} imports “${name}/${part}”, which the installed version of ${name} does not have.`,
        hint: `Pin versions of both that fit each other, in package.json and its lock file, and deploy again.`,
      };
    },
  ],
  [
    /Module not found: (?:Error: )?Can't resolve '([^']{1,200})'/,
    ([, name = ''], output) =>
      missing(name, find(output, /^ERROR in (\S{1,200})/) ?? find(output, placeLine) ?? find(output, /^(\.\/\S{1,200})$/) ?? ''),
  ],
  [
    /^\[PARSE_ERROR\] (.{1,200})/,
    ([, what = ''], output) => atPlace(find(output, /^╭─\[ (\S{1,200}:\d{1,7}):\d{1,7} \]/) ?? '', sentence(what)),
  ],
  [/\[ERROR\] (.{1,300})/, ([, what = ''], output) => atPlace(tidy(find(output, placeLine) ?? ''), sentence(what))],
  [
    /^(Module parse failed: .{1,200})/,
    ([, what = ''], output) => atPlace(tidy(find(output, /^ERROR in (\S{1,200} \d{1,7}):/)?.replace(' ', ':') ?? ''), sentence(what)),
  ],
  [
    /Turbopack build failed with/,
    (_, output) => {
      const place = find(output, placeLine);
      const what = lineAfter(output, /^\.\/\S{1,200}:\d{1,7}:\d{1,7}$/);
      return place === undefined || what === undefined ? undefined : atPlace(tidy(place), sentence(what.replace(/^Error: /, '')));
    },
  ],
  [
    /Error occurred prerendering page "([^"]{1,200})"/,
    ([, page], output) =>
      atPlace(
        '',
        `The page ${page} could not be made in the build: ${lineAfter(output, /Error occurred prerendering page/) ?? 'see the log'}.`,
      ),
  ],
  [
    /Failed to collect page data for (\/[^\s\]]{0,200})/,
    ([, page = ''], output) =>
      atPlace(
        '',
        `The page ${page} could not be made in the build: ${sentence(find(output, /^((?:[A-Z]\w{0,40})?Error: .{1,300})$/) ?? 'see the log')}`,
      ),
  ],
  // Node and Python
  [
    /Cannot find (?:module|package) '([^']{1,300})'(?: imported from (\S{1,300}))?/,
    ([, name = '', from = ''], output) => missing(name, from || find(output, /^- (\S{1,300})$/) || ''),
  ],
  [/No module named '([^']{1,200})'/, ([, name = '']) => missing(name.split('.')[0]!, '')],
  [
    /^(?:(?:Syntax|Indentation|Tab)Error: )(.{1,300})/,
    ([line = ''], output) => atPlace(pythonPlace(output) ?? find(output, /^(\/?[\w./@-]{1,300}:\d{1,7})$/) ?? '', sentence(line)),
  ],
  [
    /Missing script: "?([\w:.-]{1,100})/,
    ([, name]) => ({ reason: `package.json has no script “${name}”.`, hint: 'Add it, or correct “build” in paddock.yaml.' }),
  ],
  [
    /^(?:\/bin\/)?sh: (?:line )?\d{1,5}: ([\w./@-]{1,100}): (?:command )?not found|^([\w./@-]{1,100}): command not found/,
    ([, a, b]) => absent(a || b || ''),
  ],
  [/exec(?:vp|utable)?:? ([\w./@-]{1,100}): No such file/, ([, name = '']) => absent(name)],
  // Files that list dependencies
  [
    /(?:Invalid package\.json|EJSONPARSE|JSON\.parse) ?(.{0,200})/,
    ([, what = '']) => atPlace('package.json', `It is not valid JSON${what ? `: ${what.split(' while parsing')[0]}` : ''}.`),
  ],
  [
    /TOML parse error at line (\d{1,7})/,
    ([, line], { text }) =>
      atPlace(
        `pyproject.toml:${line}`,
        sentence(text.split('\n').findLast((each) => /expected|invalid|unclosed|duplicate|missing/.test(each)) ?? 'It is not valid TOML'),
      ),
  ],
  [
    /Multiple top-level (?:packages|modules) discovered in a flat-layout: (\[[\w'., -]{1,200}\])/,
    ([, names]) => ({
      reason: `setuptools cannot tell which of the folders ${names} is the package.`,
      hint: 'Name it in pyproject.toml ([tool.setuptools] packages), or list the dependencies in a requirements.txt.',
    }),
  ],
  [
    /Unable to determine which files to ship/,
    () => ({
      reason: 'hatchling finds no folder with the name of the project.',
      hint: 'Name the folders in pyproject.toml ([tool.hatch.build.targets.wheel] packages), or list the dependencies in a requirements.txt.',
    }),
  ],
  [
    /Couldn't parse requirement in `(\S{1,200})`|expected '-c', '-e', '-r' or the start of a requirement: (\S{1,200})|Invalid requirement: (.{1,200})/,
    ([, file, place, what], output) =>
      atPlace(
        tidy(place || file || ''),
        what
          ? `The line ${what} is not a requirement.`
          : `${quotedLine(output)} is not a requirement${find(output, /^cause: (.{1,200})/) ? `: ${find(output, /^cause: (.{1,200})/)}` : ''}.`,
      ),
  ],
];

/** uv shows the line below the cause. */
function quotedLine(output: FailureOutput): string {
  const text = (lineAfter(output, /^cause: Expected/) ?? '').trim();
  return text === '' ? 'A line' : `The line “${text.slice(0, 200)}”`;
}

function typeError(place: string, { code, what }: { code: string | undefined; what: string }): Reason {
  const name = absentModule(what);
  if (name !== undefined) return missing(name, place);
  const generated = /^Module '"@prisma\/client"' has no exported member '(\w{1,100})'/.exec(what)?.[1];
  if (generated !== undefined)
    return {
      reason: `${place} imports ${generated} of Prisma’s client, which was not generated before.`,
      hint: 'Let the build begin with “prisma generate”, in package.json or as “build” in paddock.yaml, and deploy again.',
    };
  return {
    reason: `${place} does not compile: ${what.replace(/[.]$/, '')} (${code}).`,
    hint: 'Correct it, or pin the version of TypeScript that it was written for.',
  };
}

const absentModule = (what: string) => /^Cannot find module '([^']{1,200})'/.exec(what)?.[1];

const placeLine = /^(\.?\/?[\w./@()[\]-]{1,200}:\d{1,7}):\d{1,7}:?$/;

function pythonPlace(output: FailureOutput): string | undefined {
  const files = output.lines.map((line) => /^File "([^"]{1,300})", line (\d{1,7})/.exec(line)).filter((found) => found !== null);
  const last = files.at(-1);
  return last && `${last[1]!.replace('/app/', '')}:${last[2]}`;
}

function absent(name: string): Reason {
  const brings = packageOfProgram(name, 'node') ?? packageOfProgram(name, 'python');
  if (brings === undefined)
    return {
      reason: `The program ${name} is not there.`,
      hint: 'Add the package that brings it to the dependencies, or correct the build command.',
    };
  return {
    reason: `The program ${name} is not there, which the package ${brings} brings.`,
    hint: 'Add that package to the dependencies and deploy again.',
    missingProgram: name,
  };
}

function sentence(text: string): string {
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** An error in the project's own files, with file and line if the output contains them. */
export const sourceReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, rules);
