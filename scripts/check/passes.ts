import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** For each check's name the command and the inputs of its last pass. */
type Passes = Record<string, string>;

/**
 * Stores in `file` which checks passed with which inputs. It does not store a failure, or a pass whose inputs changed while the check ran:
 * the check may have read either version.
 */
export function rememberedPasses(file: string, inputs: () => string) {
  const before = inputs();
  const known = read(file);
  const passed: Passes = {};
  const keyOf = (command: string[]) => `${before} ${command.join(' ')}`;
  return {
    hasPassed: (name: string, command: string[]) => known[name] === keyOf(command),
    pass(name: string, command: string[]) {
      passed[name] = keyOf(command);
    },
    save() {
      if (Object.keys(passed).length > 0 && inputs() === before) write(file, { ...read(file), ...passed });
    },
  };
}

function read(file: string): Passes {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Passes;
  } catch {
    return {}; // the first run, or one that was cut short
  }
}

function write(file: string, passes: Passes): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(passes));
  renameSync(`${file}.${process.pid}`, file);
}
