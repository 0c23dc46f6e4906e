import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const agent = { 'requirements.txt': 'fastapi\ncelery\nuvicorn\n', 'main.py': 'from fastapi import FastAPI\napp = FastAPI()\n' };
const services = [
  'services:',
  '  web:\n    build: .\n    command: uvicorn main:app --host 0.0.0.0',
  '  tasks:\n    build: .\n    command: celery -A tasks worker --loglevel=info',
  '  queue:\n    image: redis:7\n    command: redis-server --appendonly yes',
];

test('workers that a compose file runs beside the agent are told and offered, other services are not', async () => {
  const { warnings, choices, start } = await planFiles({ ...agent, 'compose.yml': `${services.join('\n')}\n` });
  assert.equal(start[0], 'uvicorn');
  assert.deepEqual(
    warnings.filter((one) => one.includes('is not run')),
    [
      'compose.yml (tasks) is not run: “celery -A tasks worker --loglevel=info”. If the agent needs it, deploy the archive as a project of its own with that start.',
    ],
  );
  assert.deepEqual(choices, [{ start: 'celery -A tasks worker --loglevel=info', because: 'compose.yml (tasks)' }]);
});
