import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const agent = { 'requirements.txt': 'flask\n', 'main.py': 'from flask import Flask\napp = Flask(__name__)\n' };
const told = async (files: Record<string, string>) =>
  (await planFiles({ ...agent, ...files })).warnings.filter((warning) => warning.includes('extension vector'));

test('an agent that needs pgvector is told before the first start that managed databases lack it, and where it says so', async () => {
  const places: [file: string, content: string, line: number][] = [
    ['db/schema.sql', '-- notes\nCREATE EXTENSION IF NOT EXISTS vector;\n', 2],
    ['store.py', 'import psycopg\n\nasync def prepare(c):\n    await c.execute("create extension if not exists vector")\n', 4],
    ['prisma/schema.prisma', 'datasource db {\n  provider = "postgresql"\n  extensions = [pgcrypto, vector]\n}\n', 3],
    ['compose.yml', 'services:\n  db:\n    image: pgvector/pgvector:pg17\n', 3],
    ['requirements.txt', 'flask\npgvector==0.4.0\n', 2],
    ['pyproject.toml', '[project]\nname = "lamp"\nversion = "1"\ndependencies = [\n  "flask",\n  "vecs>=0.4",\n]\n', 6],
  ];
  for (const [file, content, line] of places)
    assert.deepEqual(
      await told({ [file]: content }),
      [
        `Its PostgreSQL needs the extension vector (${file}:${line}), which managed databases do not have: deploy it with the address of one of your own that has pgvector.`,
      ],
      file,
    );
});

test('nothing is said of other extensions, or of vectors that are kept elsewhere', async () => {
  assert.deepEqual(await told({ 'db/schema.sql': 'CREATE EXTENSION hstore;\nCREATE TABLE vector (n int);\n' }), []);
  assert.deepEqual(await told({ 'compose.yml': 'services:\n  db:\n    image: postgres:17\n  vectors:\n    image: qdrant/qdrant\n' }), []);
  assert.deepEqual(
    await told({ 'requirements.txt': 'flask\nvectordb\n', 'README.md': 'Run `CREATE EXTENSION vector` if you like.\n' }),
    [],
  );
});
