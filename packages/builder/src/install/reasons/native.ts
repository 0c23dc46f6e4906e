import { installCommand, packageOfHeader, packageOfLibrary, packageOfProgram } from './debian.ts';
import { type FailureOutput, find, findFirstReason, type Reason, type Rule } from './reason.ts';
import { packageOfScript } from './script-packages.ts';

function missingTool(output: FailureOutput, what: string, debian: string | undefined): Reason {
  const who = packageUnderWay(output) ?? 'A package';
  const ask = debian === undefined ? `install ${what}` : `run “${installCommand(debian)}”`;
  return {
    reason: `${who} has to be compiled here and needs ${what}, which this machine lacks.`,
    hint: `Use a version of it with a prebuilt wheel or binary, or ask the operator to ${ask}.`,
  };
}

const compiler = (output: FailureOutput, name: string) => missingTool(output, `the compiler ${name}`, 'build-essential');
const rust = (output: FailureOutput) => missingTool(output, 'Rust (cargo)', 'cargo');

function program(name: string, output: FailureOutput): Reason | undefined {
  const debian = packageOfProgram(name);
  if (debian === undefined) return undefined;
  if (debian === 'build-essential' && !name.endsWith('make')) return compiler(output, name);
  return name === 'cargo' || name === 'rustc' ? rust(output) : missingTool(output, `the program ${name}`, debian);
}

const absent: Rule[1] = ([, path = ''], output) => program(path.split('/').at(-1) ?? '', output);

const rules: Rule[] = [
  [
    /fatal error: ([\w./+-]{1,120}): No such file or directory/,
    ([, header = ''], output) => missingTool(output, header, packageOfHeader(header)),
  ],
  [/fatal error: '([\w./+-]{1,120})' file not found/, ([, header = ''], output) => missingTool(output, header, packageOfHeader(header))],
  [/pg_config executable not found/, (_, output) => missingTool(output, 'the program pg_config', 'libpq-dev')],
  [
    /mysql_config: not found|Can not find valid pkg-config name|mysql_config not found/,
    (_, output) => missingTool(output, 'the client library of MySQL', 'default-libmysqlclient-dev pkg-config'),
  ],
  [
    /Package '?([\w.+-]{1,80})'? was not found in the pkg-config search path|No package '([\w.+-]{1,80})' found|Package '([\w.+-]{1,80})', required by/,
    ([, a, b, c], output) => missingTool(output, `the library ${a || b || c}`, packageOfLibrary(a || b || c || '')),
  ],
  [/cannot find -l([\w.+-]{1,80})/, ([, name = ''], output) => missingTool(output, `the library ${name}`, packageOfLibrary(name))],
  [
    /package configuration file provided by "([\w.+-]{1,80})"|Could NOT find ([\w.+-]{1,80}) \(missing/,
    ([, a, b], output) => missingTool(output, `the library ${a || b}`, packageOfLibrary(a || b || '')),
  ],
  [
    /Could not find the compiler specified|CMAKE_C(?:XX)?_COMPILER not set|No CMAKE_C(?:XX)?_COMPILER could be found|linker `cc` not found|Unknown compiler\(s\)/,
    (_, output) => compiler(output, 'gcc'),
  ],
  [/can't find Rust compiler|Rust toolchain|cargo, the Rust package manager, is not installed/, (_, output) => rust(output)],
  [/No such file or directory: '([\w./+-]{1,80})'/, absent],
  [/command '([\w./+-]{1,80})' failed: No such file/, absent],
  [/unable to execute '([\w./+-]{1,80})'/, absent],
  [/Error: not found: ([\w.+-]{1,80})/, absent],
  [/^(?:\/bin\/)?sh: (?:line )?\d{1,5}: ([\w.+-]{1,80}): (?:command )?not found/, absent],
  [/^([\w.+-]{1,80}): command not found/, absent],
  [/Could not find any Python installation to use/, (_, output) => missingTool(output, 'Python', 'python3')],
  [
    /No module named '(pkg_resources|distutils|imp)'/,
    ([, name], output) => ({
      reason: `${packageUnderWay(output) ?? 'An old package'} is built with ${name}, which newer tools no longer have.`,
      hint: 'Use a newer version of it, one with a prebuilt wheel.',
    }),
  ],
  [
    /^(?:ModuleNotFoundError|ImportError): No module named '([^']{1,100})'/,
    ([, name = ''], output) =>
      isBuildingPackage.test(output.text)
        ? {
            reason: `${packageUnderWay(output) ?? 'A package'} needs ${name.split('.')[0]} while it is built, and does not say so.`,
            hint: 'Use a newer version of it, one with a prebuilt wheel.',
          }
        : undefined,
  ],
  [
    /Missing parentheses in call to 'print'/,
    (_, output) =>
      isBuildingPackage.test(output.text)
        ? {
            reason: `${packageUnderWay(output) ?? 'A package'} is written for Python 2.`,
            hint: 'Use a newer version of it, or another package.',
          }
        : undefined,
  ],
  [/^(?:\S{1,200}:\d{1,7}:\d{1,7}: )error: (.{1,200})/, ([line = ''], output) => failed(output, line)],
  [/^(error\[E\d{4}\]: .{1,200})/, ([line = ''], output) => failed(output, line)],
];

const isBuildingPackage =
  /build backend returned an error|metadata-generation-failed|egg_info did not run|Getting requirements to build wheel did not run/;

/** A compiler error in the source of a package. In the output of a build command itself, other rules explain it. */
function failed(output: FailureOutput, line: string): Reason | undefined {
  const who = packageUnderWay(output);
  if (who === undefined) return undefined;
  return { reason: `${who} could not be compiled: ${line}.`, hint: 'Use another version of it, one with a prebuilt wheel or binary.' };
}

/** A package that is built from source lacks a compiler, a header or a library, or is itself broken. */
export const nativeReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, rules);

/** The install script of a package failed for a reason of its own. */
export function scriptReason(output: FailureOutput): Reason | undefined {
  const name = packageOfScript(output);
  if (name === undefined) return undefined;
  const error = find(output, /(?:^|STDERR |install: )((?:[A-Z]\w{0,40})?Error: .{1,200})/);
  return {
    reason: `The install script of ${name} failed${error === undefined ? '' : `: ${error}`}.`,
    hint: 'Use another version of it, or see in the log what it needs.',
  };
}

/** The package that a client was building when it failed. */
export function packageUnderWay(output: FailureOutput): string | undefined {
  const name =
    find(output, /Failed to build `([^`\s]{1,200})/) ??
    find(output, /Failed building wheel for (\S{1,100})/) ??
    find(output, /\$npm_package_name (\S{1,100})/) ??
    packageOfScript(output) ??
    find(output, /^Building wheel for (\S{1,100}) /);
  return name?.split(/@(?:file|git|https?):/)[0];
}
