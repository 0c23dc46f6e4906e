import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingVariables } from './missing-variables.ts';

test('a variable that the quoted source reads with a value in reserve is not the missing one', () => {
  const known = new Set(['DESK_MODEL', 'DESK_KEY', 'DESK_URL']);
  const lines = [
    '    return Client(model=os.environ.get("DESK_MODEL", "small"), key=os.environ.get("DESK_KEY"))',
    'desk.SettingNotFoundError: one of them must be provided, but none was set.',
  ];
  assert.deepEqual(missingVariables(lines, known), ['DESK_KEY']);
  assert.deepEqual(missingVariables(['throw new Error("missing: " + (process.env.DESK_URL || "none"))'], known), []);
});
