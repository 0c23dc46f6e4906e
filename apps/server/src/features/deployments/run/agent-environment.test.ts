import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseUrls } from '../databases.ts';
import { agentEnvironment } from './agent-environment.ts';

const environment = (plan: Record<string, string>, variables: { key: string; value: string }[] = []) =>
  agentEnvironment({
    plan,
    variables,
    databases: {},
    deployment: { id: 'dep_1', project_name: 'p', environment: 'production', url: 'http://p.localhost' },
    memory_mb: 512,
  });

test('Node is told three quarters of the memory limit as its heap, unless archive or project set its options themselves', () => {
  assert.equal(environment({}).env.NODE_OPTIONS, '--max-old-space-size=384');
  assert.equal(environment({ NODE_OPTIONS: '--enable-source-maps' }).env.NODE_OPTIONS, '--enable-source-maps');
  const own = environment({}, [{ key: 'NODE_OPTIONS', value: '' }]);
  assert.deepEqual([own.env.NODE_OPTIONS, own.clashes], ['', []]);
});

test('servers of Python are told to trust the gateway, unless archive or project say whom they trust', () => {
  assert.equal(environment({}).env.FORWARDED_ALLOW_IPS, '*');
  assert.equal(environment({}, [{ key: 'FORWARDED_ALLOW_IPS', value: '10.0.0.1' }]).env.FORWARDED_ALLOW_IPS, '10.0.0.1');
});

test('a person’s own DATABASE_URL counts without a database, and gives way to one with a word in the log', () => {
  const deployment = { id: 'dep_1', project_name: 'p', environment: 'production', url: 'http://p.localhost' };
  const variables = [{ key: 'DATABASE_URL', value: 'sqlite:///desk.db' }];
  const of = (databases: DatabaseUrls) => agentEnvironment({ plan: {}, variables, databases, deployment, memory_mb: 512 });
  assert.deepEqual([of({}).env.DATABASE_URL, of({}).clashes], ['sqlite:///desk.db', []]);
  const deployed = of({ postgres_url: 'postgresql://agent:word@127.0.0.1:5544/app' });
  assert.deepEqual([deployed.env.DATABASE_URL, deployed.clashes], ['postgresql://agent:word@127.0.0.1:5544/app', ['DATABASE_URL']]);
});

const asked = (all: Record<string, string>) =>
  Object.entries(all).map(([name, example]) => ({
    name,
    required: true,
    secret: false,
    at: 'a.py:1',
    ...(example === '' ? {} : { example }),
  }));
const urls = { postgres_url: 'postgresql://agent:p%40ss@127.0.0.1:5544/app', redis_url: 'redis://agent:word@127.0.0.1:6655/0' };
const given = (all: Record<string, string>, variables: { key: string; value: string }[] = [], databases: DatabaseUrls = urls) => {
  const deployment = { id: 'dep_1', project_name: 'p', environment: 'production', url: 'http://p.localhost' };
  const { env } = agentEnvironment({ plan: {}, variables, databases, asked: asked(all), deployment, memory_mb: 512 });
  return Object.fromEntries(Object.keys(all).map((name) => [name, env[name]]));
};

test('parts of the address of a database are given under the names that the archive reads, and a person’s own values win', () => {
  const parts = { DB_HOST: '127.0.0.1', DB_PORT: '5544', DB_USERNAME: 'agent', DB_PASSWORD: 'p@ss', POSTGRES_DB: 'app', PGUSER: 'agent' };
  assert.deepEqual(given(Object.fromEntries(Object.keys(parts).map((name) => [name, '']))), parts);
  assert.deepEqual(given({ REDIS_HOST: 'localhost', REDIS_PORT: '6379', REDIS_PASSWORD: '' }), {
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: '6655',
    REDIS_PASSWORD: 'word',
  });
  assert.deepEqual(given({ DB_URL: 'postgresql+asyncpg://localhost/a', POSTGRES_URI: '' }), {
    DB_URL: 'postgresql+asyncpg://agent:p%40ss@127.0.0.1:5544/app',
    POSTGRES_URI: urls.postgres_url,
  });
  assert.deepEqual(given({ DATABASE_URL: 'postgresql+psycopg://localhost/a' }), {
    DATABASE_URL: 'postgresql+psycopg://agent:p%40ss@127.0.0.1:5544/app',
  });
  assert.deepEqual(given({ DATABASE_URL: 'sqlite:///a.db' }), { DATABASE_URL: urls.postgres_url });
  assert.deepEqual(given({ DB_HOST: '' }, [{ key: 'DB_HOST', value: 'mine.example' }]), { DB_HOST: 'mine.example' });
});

test('addresses past a pool of connections are those of the one database', () => {
  const names = ['DIRECT_URL', 'DIRECT_DATABASE_URL', 'DATABASE_URL_UNPOOLED', 'POSTGRES_URL_NON_POOLING', 'POSTGRES_PRISMA_URL'];
  const found = given(Object.fromEntries(names.map((name) => [name, ''])));
  for (const name of names) assert.equal(found[name], urls.postgres_url, name);
});

test('a variable whose example is an address of the database is given its address, whatever its name', () => {
  const found = given({ CELERY_BROKER_URL: 'redis://localhost:6379/1', CONNECT: 'postgresql+psycopg://', OTHER_URL: 'amqp://localhost' });
  assert.deepEqual(found, {
    CELERY_BROKER_URL: urls.redis_url,
    CONNECT: 'postgresql+psycopg://agent:p%40ss@127.0.0.1:5544/app',
    OTHER_URL: undefined,
  });
});

test('what tells of another kind of database, or of none, gets nothing', () => {
  const none = { DB_HOST: undefined, DB_PORT: undefined };
  assert.deepEqual(given({ DB_HOST: '', DB_PORT: '3306' }), none);
  assert.deepEqual(given({ DB_HOST: '', DB_PORT: '' }, [], {}), none);
  assert.deepEqual(given({ DATABASE_URI: 'mongodb://localhost', PAGE_HOST: '', DB_POOL: '' }), {
    DATABASE_URI: undefined,
    PAGE_HOST: undefined,
    DB_POOL: undefined,
  });
});

test('a variable of the project that hides a part of the database’s address is told, one with the same value is not', () => {
  const deployment = { id: 'dep_1', project_name: 'p', environment: 'production', url: 'http://p.localhost' };
  const of = (variables: { key: string; value: string }[], databases: DatabaseUrls) =>
    agentEnvironment({
      plan: {},
      variables,
      databases,
      asked: asked({ POSTGRES_PASSWORD: '', POSTGRES_USER: '' }),
      deployment,
      memory_mb: 512,
    });
  const variables = [
    { key: 'POSTGRES_PASSWORD', value: 'made-up' },
    { key: 'POSTGRES_USER', value: 'agent' },
  ];
  const { env, hidden } = of(variables, { postgres_url: 'postgresql://agent:word@127.0.0.1:5544/app' });
  assert.deepEqual([env.POSTGRES_PASSWORD, hidden], ['made-up', ['POSTGRES_PASSWORD']]);
  assert.deepEqual(of(variables, {}).hidden, []);
});
