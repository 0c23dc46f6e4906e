import { installCommand, packageOfHeader, packageOfLibrary, packageOfProgram } from './debian.ts';
import { find, findFirstReason, type Reason, type Rule, type Said } from './reason.ts';

function lacks(said: Said, what: string, debian: string | undefined): Reason {
  const who = packageUnderWay(said) ?? 'A package';
  const ask = debian === undefined ? `install ${what}` : `run “${installCommand(debian)}”`;
  return {
    reason: `${who} has to be compiled here and needs ${what}, which this machine lacks.`,
    hint: `Use a version of it with a prebuilt wheel or binary, or ask the operator to ${ask}.`,
  };
}

const compiler = (said: Said, name: string) => lacks(said, `the compiler ${name}`, 'build-essential');
const rust = (said: Said) => lacks(said, 'Rust (cargo)', 'cargo');

function program(name: string, said: Said): Reason | undefined {
  const debian = packageOfProgram(name);
  if (debian === undefined) return undefined;
  if (debian === 'build-essential' && !name.endsWith('make')) return compiler(said, name);
  return name === 'cargo' || name === 'rustc' ? rust(said) : lacks(said, `the program ${name}`, debian);
}

const absent: Rule[1] = ([, path = ''], said) => program(path.split('/').at(-1) ?? '', said);

const rules: Rule[] = [
  [/fatal error: ([\w./+-]{1,120}): No such file or directory/, ([, header = ''], said) => lacks(said, header, packageOfHeader(header))],
  [/fatal error: '([\w./+-]{1,120})' file not found/, ([, header = ''], said) => lacks(said, header, packageOfHeader(header))],
  [/pg_config executable not found/, (_, said) => lacks(said, 'the program pg_config', 'libpq-dev')],
  [
    /mysql_config: not found|Can not find valid pkg-config name|mysql_config not found/,
    (_, said) => lacks(said, 'the client library of MySQL', 'default-libmysqlclient-dev pkg-config'),
  ],
  [
    /Package '?([\w.+-]{1,80})'? was not found in the pkg-config search path|No package '([\w.+-]{1,80})' found|Package '([\w.+-]{1,80})', required by/,
    ([, a, b, c], said) => lacks(said, `the library ${a || b || c}`, packageOfLibrary(a || b || c || '')),
  ],
  [/cannot find -l([\w.+-]{1,80})/, ([, name = ''], said) => lacks(said, `the library ${name}`, packageOfLibrary(name))],
  [
    /package configuration file provided by "([\w.+-]{1,80})"|Could NOT find ([\w.+-]{1,80}) \(missing/,
    ([, a, b], said) => lacks(said, `the library ${a || b}`, packageOfLibrary(a || b || '')),
  ],
  [
    /Could not find the compiler specified|CMAKE_C(?:XX)?_COMPILER not set|No CMAKE_C(?:XX)?_COMPILER could be found|linker `cc` not found|Unknown compiler\(s\)/,
    (_, said) => compiler(said, 'gcc'),
  ],
  [/can't find Rust compiler|Rust toolchain|cargo, the Rust package manager, is not installed/, (_, said) => rust(said)],
  [/No such file or directory: '([\w./+-]{1,80})'/, absent],
  [/command '([\w./+-]{1,80})' failed: No such file/, absent],
  [/unable to execute '([\w./+-]{1,80})'/, absent],
  [/Error: not found: ([\w.+-]{1,80})/, absent],
  [/^(?:\/bin\/)?sh: (?:line )?\d{1,5}: ([\w.+-]{1,80}): (?:command )?not found/, absent],
  [/^([\w.+-]{1,80}): command not found/, absent],
  [/Could not find any Python installation to use/, (_, said) => lacks(said, 'Python', 'python3')],
  [
    /No module named '(pkg_resources|distutils|imp)'/,
    ([, name], said) => ({
      reason: `${packageUnderWay(said) ?? 'An old package'} is built with ${name}, which newer tools no longer have.`,
      hint: 'Use a newer version of it, one with a prebuilt wheel.',
    }),
  ],
  [
    /^(?:ModuleNotFoundError|ImportError): No module named '([^']{1,100})'/,
    ([, name = ''], said) =>
      isBuildingPackage.test(said.text)
        ? {
            reason: `${packageUnderWay(said) ?? 'A package'} needs ${name.split('.')[0]} while it is built, and does not say so.`,
            hint: 'Use a newer version of it, one with a prebuilt wheel.',
          }
        : undefined,
  ],
  [
    /Missing parentheses in call to 'print'/,
    (_, said) =>
      isBuildingPackage.test(said.text)
        ? {
            reason: `${packageUnderWay(said) ?? 'A package'} is written for Python 2.`,
            hint: 'Use a newer version of it, or another package.',
          }
        : undefined,
  ],
  [/^(?:\S{1,200}:\d{1,7}:\d{1,7}: )error: (.{1,200})/, ([line = ''], said) => failed(said, line)],
  [/^(error\[E\d{4}\]: .{1,200})/, ([line = ''], said) => failed(said, line)],
];

const isBuildingPackage =
  /build backend returned an error|metadata-generation-failed|egg_info did not run|Getting requirements to build wheel did not run/;

/** A compiler error in the source of a package. In the output of a build command itself, other rules explain it. */
function failed(said: Said, line: string): Reason | undefined {
  const who = packageUnderWay(said);
  if (who === undefined) return undefined;
  return { reason: `${who} could not be compiled: ${line}.`, hint: 'Use another version of it, one with a prebuilt wheel or binary.' };
}

/** A package that is built from source lacks a compiler, a header or a library, or is itself broken. */
export const nativeReason = (said: Said): Reason | undefined => findFirstReason(said, rules);

const scripts: Rule[] = [
  [/^error: install script from "(\S{1,100})" exited/, ([, name = ''], said) => script(name, said)],
  [/YN0009: \W{0,4}(@?[^@\s]{1,100})@\S{1,300} couldn't be built/, ([, name = ''], said) => script(name, said)],
  [
    /^(?:error|npm error path) \/(?:[^/\s]{1,200}\/){0,20}node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})(?:: Command failed|$)/,
    ([, name = ''], said) => script(name, said),
  ],
  [
    /^(?:\S{1,200}\/)?node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100}) (?:pre|post)?install: Failed/,
    ([, name = ''], said) => script(name, said),
  ],
];

function script(name: string, said: Said): Reason | undefined {
  const error = find(said, /(?:^|STDERR |install: )((?:[A-Z]\w{0,40})?Error: .{1,200})/);
  return {
    reason: `The install script of ${name} failed${error === undefined ? '' : `: ${error}`}.`,
    hint: 'Use another version of it, or see in the log what it needs.',
  };
}

/** The install script of a package failed for a reason of its own. */
export const scriptReason = (said: Said): Reason | undefined => findFirstReason(said, scripts);

/** The package that a client was building when it failed. */
export function packageUnderWay(said: Said): string | undefined {
  const name =
    find(said, /Failed to build `([^`\s]{1,200})/) ??
    find(said, /Failed building wheel for (\S{1,100})/) ??
    find(said, /\$npm_package_name (\S{1,100})/) ??
    find(
      said,
      /^(?:error|npm error path) \/(?:[^/\s]{1,200}\/){0,20}node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})(?:: Command failed|$)/,
    ) ??
    find(said, /^error: install script from "(\S{1,100})" exited/) ??
    find(said, /YN0009: \W{0,4}(@?[^@\s]{1,100})@/) ??
    find(said, /^Building wheel for (\S{1,100}) /);
  return name?.split(/@(?:file|git|https?):/)[0];
}
