import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { linkRunTools } from '../../../scripts/test/run-tools.ts';
import { build } from '../src/build.ts';
import type { PlanSettings } from '../src/detect/settings.ts';
import { findToolchains } from '../src/install/toolchain.ts';
import { trialRunner } from './step-runner.ts';
import { writeZip } from './write-zip.ts';

/** Builds archives of the given files with the real package clients, in a data folder that all of one test file share. */
export async function openBuilds() {
  const home = mkdtempSync(join(tmpdir(), 'paddock-builds-'));
  const dataDir = join(home, 'data');
  mkdirSync(dataDir);
  linkRunTools(dataDir);
  after(() => rmSync(home, { recursive: true, force: true }));
  const toolchains = await findToolchains(AbortSignal.timeout(20_000));
  let count = 0;

  /** `onLine` receives the lines of the build's log. */
  async function buildFiles(
    files: Record<string, string | Buffer>,
    settings: PlanSettings = {},
    onLine: (line: string) => void = () => undefined,
  ) {
    const zipPath = join(home, `${count++}.zip`);
    writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
    const signal = AbortSignal.timeout(300_000);
    const built = await build({
      zipPath,
      settings,
      teamId: 't',
      dataDir,
      run: trialRunner(),
      toolchains,
      signal,
      onLine: (_, line) => onLine(line),
    });
    await built.release();
    return built;
  }
  return { home, toolchains, buildFiles };
}
