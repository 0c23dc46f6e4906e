import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedVariable } from '@paddock/builder';
import { startFailure } from './failure-messages.ts';

function says(tail: string[], { code = 1, ...more }: { set?: string[]; asked?: AskedVariable[]; code?: number } = {}): string {
  const exit = { code, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
  const about = { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, ...more };
  return startFailure({ kind: 'exited', exit }, about).split('\n\nLast lines:')[0]!;
}

const reads = (...names: string[]): AskedVariable[] =>
  names.map((name, n) => ({ name, required: true, secret: false, at: `main.py:${n + 1}` }));

test('a start that fails for no stated reason names what the archive requires and is not set, with its places', () => {
  const asked = [...reads('APP_ID', 'PUBLIC_KEY'), { name: 'LEVEL', required: false, secret: false, at: 'main.py:9' }];
  const message = says(['Error: You must specify a client public key'], { asked, set: ['APP_ID'] });
  assert.match(message, /It may miss a variable: PUBLIC_KEY \(main\.py:2\) is not set/);
  assert.doesNotMatch(says(['boom'], { asked, set: ['APP_ID', 'PUBLIC_KEY'] }), /variable/);
  assert.match(says([], { asked, code: 0 }), /type: job.*APP_ID \(main\.py:1\), PUBLIC_KEY \(main\.py:2\) are not set/);
});

test('a variable without a value is told where the error speaks of what it is called', () => {
  const asked: AskedVariable[] = [
    { name: 'GEMINI_MODEL', required: false, secret: false, at: 'service.ts:17' },
    { name: 'LOG_LEVEL', required: false, secret: false, at: 'service.ts:18' },
    { name: 'MODEL_URL', required: false, secret: false, at: '.env.example:1', example: 'http://localhost' },
  ];
  const message = says(['Error: [SomeAI Error]: Must provide a model name.'], { asked });
  assert.match(message, /It may miss a variable: GEMINI_MODEL \(service\.ts:17\) is not set/);
  assert.doesNotMatch(says(['Error: the disk is full'], { asked }), /may miss a variable/);
});

test('a variable that a line of the source reads as None is missed, with the unset ones of the same service', () => {
  const tail = [
    'Traceback (most recent call last):',
    '  File "/app/tools.py", line 14, in <module>',
    '    index = pc.Index(os.getenv("PINECONE_INDEX_NAME"))',
    '  File "/app/.venv/lib/python3.11/site-packages/pinecone/index_host_store.py", line 27, in _key',
    '    return ":".join([config.api_key, os.environ["OTHER_KEY"]])',
    'TypeError: sequence item 1: expected str instance, NoneType found',
  ];
  const asked = [
    ...reads('PINECONE_INDEX_NAME', 'OTHER_KEY'),
    { name: 'PINECONE_NAMESPACE', required: false, secret: false, at: 'tools.py:16' },
    { name: 'PINECONE_REGION', required: false, secret: false, at: 'tools.py:17', example: 'eu' },
    { name: 'LOG_LEVEL', required: false, secret: false, at: 'tools.py:18' },
  ];
  const message = says(tail, { asked, set: ['OTHER_KEY'] });
  assert.match(
    message,
    /needs? the variable PINECONE_INDEX_NAME: set it .* also ask for PINECONE_NAMESPACE \(tools\.py:16\), which is not set/,
  );
  assert.doesNotMatch(says([...tail.slice(0, -1), 'ValueError: no'], { asked, set: ['OTHER_KEY'] }), /seems to need/);
});

test('a route that Express 5 does not take is named as such', () => {
  const message = says(['TypeError: Missing parameter name at 1: https://git.new/pathToRegexpError']);
  assert.match(message, /give its wildcard a name .*or pin express 4/);
});

test('a database is not offered for an address whose example is of SQLite, and the examples of missing variables are told', () => {
  const asked: AskedVariable[] = [
    { name: 'DATABASE_URL', required: true, secret: false, at: 'config.py:3', example: 'sqlite:///./desk.db' },
    { name: 'DESK_WORD', required: true, secret: false, at: 'config.py:4' },
  ];
  const tail = ['pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings'];
  for (const name of ['DATABASE_URL', 'DESK_WORD']) tail.push(name, '  Field required [type=missing, input_value={}, input_type=dict]');
  const message = says(tail, { asked });
  assert.match(
    message,
    /DATABASE_URL, DESK_WORD: set them under Variables .* Its files have the example DATABASE_URL=sqlite:\/\/\/\.\/desk\.db\./,
  );
  assert.doesNotMatch(message, /deploy with a database/);
});

test('a key of any provider is asked for where the error speaks of an API key and names none', () => {
  const asked: AskedVariable[] = ['OPENAI_API_KEY', 'GROQ_API_KEY', 'LOG_LEVEL'].map((name, n) => ({
    name,
    required: false,
    secret: true,
    at: `settings.py:${n}`,
  }));
  const message = says(['ValueError: At least one LLM API key must be provided.'], { asked });
  assert.match(message, /OPENAI_API_KEY \(settings\.py:0\), GROQ_API_KEY \(settings\.py:1\) are not set/);
});
