import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeLock, missingFromLock } from './lock-file.ts';

const lock = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-x64-gnu': '1.0.0', '@tool/linux-x64-musl': '1.0.0', '@tool/darwin-arm64': '1.0.0' },
    },
    'node_modules/tool/node_modules/@tool/linux-x64-gnu': { version: '1.0.0' },
  },
};

test('an optional package without an entry is found, one beside its parent is not missing', () => {
  assert.deepEqual(missingFromLock(lock), ['@tool/linux-x64-musl@1.0.0', '@tool/darwin-arm64@1.0.0']);
});

test('the added entries say what they are for, so that npm skips them elsewhere', () => {
  const full = completeLock(lock);
  assert.deepEqual(missingFromLock(full), []);
  assert.deepEqual(full.packages['node_modules/@tool/linux-x64-musl'], {
    version: '1.0.0',
    cpu: ['x64'],
    dev: true,
    libc: ['musl'],
    optional: true,
    os: ['linux'],
  });
  assert.deepEqual(full.packages['node_modules/@tool/darwin-arm64'], {
    version: '1.0.0',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['darwin'],
  });
});
