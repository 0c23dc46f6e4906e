import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { reaches, startPlatform } from '../../../../test/platform.ts';

const main =
  'import http.server, os\nhttp.server.HTTPServer(("", int(os.environ["PORT"])), http.server.SimpleHTTPRequestHandler).serve_forever()\n';

/** Modes are Unix modes; without one, the archive has none for the file. */
const archive = (files: Record<string, [text: string, mode?: number]>) =>
  new Blob([
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, [text, mode]]) => [
          name,
          [Buffer.from(text), mode === undefined ? {} : { os: 3, attrs: ((0o100000 | mode) << 16) >>> 0 }] as const,
        ]),
      ),
    ),
  ]);

test('a start script without modes and with line ends of Windows starts; one without its executable bit is named, with the way out', async () => {
  const paddock = await startPlatform(undefined);
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'scripts' });
  const create = (file: Blob) => api.deployments.create({ project_id, file, file_name: 'agent.zip' });
  const manifest: [string] = ['start: ./run.sh\r\n'];
  const script = '#!/bin/sh\r\nexec python3 main.py\r\n';
  const packed = await create(archive({ 'paddock.yaml': manifest, 'run.sh': [script], 'main.py': [main] }));
  await reaches(api, packed.id, ['active']);

  const plain = await create(
    archive({ 'paddock.yaml': manifest, 'run.sh': [script, 0o644], 'main.py': [main], tool: ['#!/bin/sh\n', 0o755] }),
  );
  const { error_message } = await reaches(api, plain.id, ['failed']);
  assert.match(error_message ?? '', /^Start failed: .*The file \.\/run\.sh is not executable: run "chmod \+x run\.sh"/);
  assert.doesNotMatch(error_message ?? '', /bwrap|bubblewrap/);
});
