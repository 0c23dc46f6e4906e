import assert from 'node:assert/strict';
import { test } from 'node:test';
import { required } from '../../../test/asked-variables.ts';

test('what only the branch of another choice than the default reads is not required', async () => {
  const source = (choice: string) =>
    `import os\nKIND = os.getenv("DB_KIND", "${choice}").lower()\nif KIND == "mysql":\n    word = os.getenv("MYSQL_PASSWORD")\n` +
    'elif KIND == "postgresql":\n    word = os.environ["POSTGRES_PASSWORD"]\nelse:\n    word = os.environ["OTHER_PASSWORD"]\n';
  assert.deepEqual(await required({ 'main.py': source('sqlite') }), ['OTHER_PASSWORD']);
  assert.deepEqual(await required({ 'main.py': source('mysql') }), ['MYSQL_PASSWORD', 'OTHER_PASSWORD']);
  const twice = source('sqlite').replace('if KIND', 'KIND = choose()\nif KIND');
  assert.deepEqual((await required({ 'main.py': twice })).length, 3);
});
