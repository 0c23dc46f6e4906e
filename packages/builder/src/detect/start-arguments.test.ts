import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const files = (cmd: string) => ({
  'requirements.txt': 'requests\n',
  'src/main.py': 'import sys\nprint(sys.argv[1])\n',
  Dockerfile: `FROM python:3.12-slim\nWORKDIR /app\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\nCOPY ./src/ .\nENV DESK_TOKEN=""\n${cmd}\n`,
});

test('an image that gives the detected file arguments is its start, and the variables among them are asked for', async () => {
  const plan = await planFiles(files('CMD ["sh", "-c", "python -u main.py ${DESK_TOKEN} ${DESK_ROOM:-hall}"]'));
  assert.deepEqual([plan.start, plan.start_in], [['sh', '-c', 'python -u main.py ${DESK_TOKEN} ${DESK_ROOM:-hall}'], 'src']);
  assert.deepEqual(
    plan.asked_variables?.filter(({ required }) => required).map(({ name, at }) => [name, at]),
    [['DESK_TOKEN', 'the start command']],
  );
});

test('an image that runs the same file without arguments, or another with some, changes nothing', async () => {
  for (const cmd of ['CMD ["python", "main.py"]', 'CMD ["python", "other.py", "a"]'])
    assert.deepEqual((await planFiles(files(cmd))).start, ['python', 'src/main.py'], cmd);
});

test('a start that tests a variable does not require it', async () => {
  const start = 'if [ "$DESK_TLS" = "true" ]; then python src/main.py --tls; else python src/main.py; fi';
  const { asked_variables = [] } = await planFiles(files('CMD ["python", "main.py"]'), { start });
  assert.deepEqual(
    asked_variables.filter(({ required }) => required),
    [],
  );
});
