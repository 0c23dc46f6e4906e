import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';

test('a Streamlit app gets its secrets from variables of their names, also in capitals, letter for letter', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-secrets-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const launcher = fileURLToPath(new URL('streamlit_secrets.py', import.meta.url));
  const odd = 'a "quote", a \\ backslash,\na new line, ü, 😀 and $HOME';
  const env = { PATH: process.env.PATH, HOME: home, DESK_KEY: odd, Mixed: 'as it is' };
  const shown = execFileSync('python3', [launcher, 'desk_key,Mixed,absent', '--', 'cat', join(home, '.streamlit/secrets.toml')], { env });
  assert.deepEqual({ ...parse(shown.toString()) }, { desk_key: odd, Mixed: 'as it is' });
  assert.equal(
    execFileSync('python3', [launcher, 'absent', '--', 'echo', 'runs'], { env: { ...env, HOME: '/nowhere' } }).toString(),
    'runs\n',
  );
});
