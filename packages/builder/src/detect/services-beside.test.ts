import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const compose =
  'services:\n  app:\n    build: .\n  redis:\n    image: redis:7\n  search:\n    image: qdrant/qdrant\n    container_name: vectors\n';
const agent = (text: string, more: Record<string, string> = {}) =>
  planFiles({ 'requirements.txt': 'flask\n', 'main.py': `import os\nfrom flask import Flask\napp = Flask(__name__)\n${text}\n`, ...more });
const told = async (text: string, more: Record<string, string> = { 'compose.yaml': compose }) =>
  (await agent(text, more)).warnings.filter((warning) => warning.includes('not deployed with the agent'));

test('a fixed host that is a service of the compose file is told before the start, with its place', async () => {
  const said = (host: string) => [
    `main.py:4 connects to the host “${host}”, a service of compose.yaml that is not deployed with the agent. Let a variable give the address, and set it under Variables.`,
  ];
  assert.deepEqual(await told("client = Redis(host='redis', port=6379)"), said('redis'));
  assert.deepEqual(await told('URL = "redis://:lamp@redis:6379/0"'), said('redis'));
  assert.deepEqual(await told('REDIS_HOST = "redis"'), said('redis'));
  assert.deepEqual(await told('store = Store("http://vectors:6333/collections")'), said('vectors'));
});

test('nothing is said of words that are no hosts, of services that are built, and of addresses that a variable gives', async () => {
  assert.deepEqual(await told('KIND = "redis"'), []);
  assert.deepEqual(await told('URL = "http://app:8000"'), []);
  assert.deepEqual(await told('# host="redis"'), []);
  assert.deepEqual(await told('URL = os.getenv("REDIS_URL", "redis://redis:6379")'), []);
  assert.deepEqual(await told('class A:\n    url: str = "redis://redis:6379"'), [], 'a field');
  assert.deepEqual(await told("client = Redis(host='redis')", {}), [], 'no compose file');
});

test('a variable whose only values are hosts of the compose file is required', async () => {
  const required = async (text: string, more: Record<string, string>) =>
    ((await agent(text, more)).asked_variables ?? []).filter((one) => one.required).map(({ name }) => name);
  const read = 'URL = os.getenv("QDRANT_URL", "http://search:6333")';
  assert.deepEqual(await required(read, { 'compose.yaml': compose }), ['QDRANT_URL']);
  assert.deepEqual(await required(read, {}), []);
  const example = { '.env.example': 'QDRANT_HOST=search\n', 'compose.yaml': compose };
  assert.deepEqual(await required('HOST = os.getenv("QDRANT_HOST")', example), ['QDRANT_HOST']);
  assert.deepEqual(await required('HOST = "localhost"', example), [], 'nothing reads it');
  assert.deepEqual(await required('HOST = os.getenv("QDRANT_HOST", "localhost")', { 'compose.yaml': compose }), []);
});
