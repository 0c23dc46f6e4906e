import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFailure } from './failure-messages.ts';
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

test('the key of a client is asked for by the name that the archive gives it', () => {
  const plain = ['openai.OpenAIError: The api_key client option must be set by passing it to the client'];
  assert.deepEqual(missingVariables(plain, new Set(['LLM_API_KEY', 'JWT_SECRET_KEY'])), ['LLM_API_KEY']);
  assert.deepEqual(missingVariables(plain, new Set(['LLM_API_KEY', 'CHAT_MODEL_KEY'])), ['OPENAI_API_KEY'], 'it may be either');
  assert.deepEqual(missingVariables(plain, new Set(['LLM_API_KEY', 'OPENAI_API_KEY'])), ['OPENAI_API_KEY']);
});

test('an error of the source itself is no guess at a variable', () => {
  const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
  const asked = [{ name: 'DESK_KEY', required: true, secret: true, at: 'desk.py:1' }];
  const said = (error: string) =>
    startFailure({ kind: 'exited', exit }, { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail: [error], asked });
  assert.doesNotMatch(said("AttributeError: 'function' object has no attribute 'uuid4'"), /DESK_KEY/);
  assert.doesNotMatch(said("NameError: name 'clock' is not defined"), /DESK_KEY/);
  assert.match(said("AttributeError: 'NoneType' object has no attribute 'split'"), /It may miss a variable: DESK_KEY/);
  assert.match(said('ValueError: bad answer'), /It may miss a variable: DESK_KEY/);
});

test('a value that is no JSON where the source wants a list is told with the form that it wants', () => {
  const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
  const tail = [
    'pydantic_settings.exceptions.SettingsError: error parsing value for field "allowed_origins" from source "EnvSettingsSource"',
  ];
  const asked = [{ name: 'DESK_ALLOWED_ORIGINS', required: true, secret: false, at: 'main.py:1' }];
  const about = { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, asked, set: ['DESK_ALLOWED_ORIGINS'] };
  assert.match(
    startFailure({ kind: 'exited', exit }, about),
    /DESK_ALLOWED_ORIGINS is read as JSON, and its value is none: write a list as \["a", "b"\]/,
  );
});

test('a secret of Streamlit that is not set is the variable of that name', () => {
  const line = 'AttributeError: st.secrets has no attribute "desk_key". Did you forget to add it to secrets.toml?';
  assert.deepEqual(missingVariables([line], new Set(['DESK_KEY', 'DESK_URL'])), ['DESK_KEY']);
});
