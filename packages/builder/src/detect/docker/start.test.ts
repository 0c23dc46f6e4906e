import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../../test/plan-files.ts';

const loop = { 'requirements.txt': 'httpx\n', 'pump.py': '', 'valve.py': '', 'gauge.py': '' };
const image = (cmd: string) => `FROM python:3.11\nCOPY . .\nRUN pip install -r requirements.txt\n${cmd}\n`;

test('an image that works at its root keeps the shell of its CMD, and files of the archive are found there', async () => {
  const shell = await planFiles({ ...loop, Dockerfile: image('CMD python pump.py --port $PORT') });
  assert.deepEqual(shell.start, ['/bin/sh', '-c', 'python pump.py --port $PORT']);
  const listed = await planFiles({ ...loop, Dockerfile: image('CMD ["/usr/bin/env", "python", "/pump.py"]') });
  assert.deepEqual(listed.start, ['/usr/bin/env', 'python', 'pump.py']);
  const built = await planFiles({ ...loop, Dockerfile: image('CMD ["python", "/made/pump.py"]') });
  assert.deepEqual(built.start, ['python', 'made/pump.py'], 'a build may make it');
  const own = await planFiles({ ...loop, 'bin/pump.py': '', Dockerfile: image('CMD ["python", "/bin/pump.py"]') });
  assert.deepEqual(own.start, ['python', 'bin/pump.py']);
});

test('a CMD that is only a shell, or only keeps a container open, is neither a start nor a choice', async () => {
  const files = { 'requirements.txt': 'httpx\n', 'main.py': '' };
  for (const cmd of ['CMD bash', 'CMD ["/bin/bash"]', 'CMD ["sh", "-l"]', 'CMD tail -f /dev/null', 'CMD ["sh", "-c", "sleep infinity"]']) {
    const plan = await planFiles({ ...files, Dockerfile: image(cmd) });
    assert.deepEqual([plan.start, plan.choices], [['python', 'main.py'], undefined], cmd);
  }
  const script = await planFiles({ ...files, 'up.sh': 'python main.py\n', Dockerfile: image('CMD ["bash", "up.sh"]') });
  assert.deepEqual(script.choices, [{ start: 'bash up.sh', because: 'Dockerfile:4 (CMD)' }]);
});
