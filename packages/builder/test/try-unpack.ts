import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveLimits } from '@paddock/contract/limits';
import { BuildError } from '../src/build-error.ts';
import type { ArchiveLimits } from '../src/unpack/entry-rules.ts';
import { unpack } from '../src/unpack/unpack.ts';

export const home = mkdtempSync(join(tmpdir(), 'paddock-unpack-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
let count = 0;

/** Unpacks the bytes into a new folder. Nothing may ever appear beside it. */
export async function tryUnpack(zip: Buffer, limits: ArchiveLimits = archiveLimits, signal = AbortSignal.timeout(300_000)) {
  const box = join(home, `box-${count++}`);
  mkdirSync(box);
  writeFileSync(join(box, 'in.zip'), zip);
  const dest = join(box, 'out');
  try {
    const unpacked = await unpack({ zipPath: join(box, 'in.zip'), destDir: dest, limits }, signal);
    return { unpacked, dest, error: undefined };
  } catch (error) {
    assert.ok(!existsSync(dest), 'the destination is removed after a failure');
    return { unpacked: undefined, dest, error: error as BuildError };
  } finally {
    assert.deepEqual(
      readdirSync(box).filter((n) => n !== 'in.zip' && n !== 'out'),
      [],
      'nothing is written beside the destination',
    );
  }
}

/** Expects a refusal with this code whose message matches `mentions`. */
export async function refused(zip: Buffer, { code, mentions, limits }: { code: string; mentions: RegExp; limits?: ArchiveLimits }) {
  const { error } = await tryUnpack(zip, limits);
  assert.ok(error instanceof BuildError, `expected a refusal (${code}), got ${error}`);
  assert.equal(error.code, code, error.message);
  assert.equal(error.step, 'unpack');
  assert.match(error.message, mentions);
}
