// A package, from the test's own index, whose newest version installs but breaks the import: an older archive gets an older version.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { zipSync } from 'fflate';
import { type Platform, reaches, startPlatform } from '../../../../test/platform.ts';

const days = { '1.0': '2020-03-02T00:00:00.000Z', '2.0': '2024-05-06T00:00:00.000Z' };
const sources = { '1.0': 'def greet():\n    return "old"\n', '2.0': 'def welcome():\n    return "new"\n' };
const archive = (files: Record<string, string>, mtime = new Date()) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), { mtime });

function wheel(version: keyof typeof days) {
  const info = `brittle-${version}.dist-info`;
  const files = {
    'brittle.py': sources[version],
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: brittle\nVersion: ${version}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: `brittle.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
  };
  return Buffer.from(archive(files));
}
const wheels = Object.entries(days).map(([version, day]) => {
  const data = wheel(version as keyof typeof days);
  return { filename: `brittle-${version}-py3-none-any.whl`, data, day, sha256: createHash('sha256').update(data).digest('hex') };
});
const index = createServer((request, answer) => {
  const file = wheels.find(({ filename }) => request.url?.endsWith(filename));
  if (file) return answer.end(file.data);
  if (!request.url?.startsWith('/simple/brittle/')) return answer.writeHead(404).end();
  const files = wheels.map(({ filename, day, sha256 }) => ({
    filename,
    url: `${address()}/files/${filename}`,
    hashes: { sha256 },
    'upload-time': day,
  }));
  const page = { meta: { 'api-version': '1.1' }, name: 'brittle', versions: Object.keys(days), files };
  return answer.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(JSON.stringify(page));
});
const address = () => `http://127.0.0.1:${(index.address() as AddressInfo).port}`;

let paddock: Platform;
before(async () => {
  await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
  paddock = await startPlatform(undefined, { UV_DEFAULT_INDEX: `${address()}/simple/` });
});
after(() => index.close());

const project = { 'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["brittle"]\n' };
const serve = `import http.server, os
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(brittle_says.encode())
http.server.HTTPServer(("", int(os.environ["PORT"])), Answer).serve_forever()
`;

async function made(name: string, main: string, mtime: Date) {
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  const file = new Blob([Buffer.from(archive({ ...project, 'main.py': main }, mtime))]);
  return { api, deployment: await api.deployments.create({ project_id: id, file, file_name: 'agent.zip' }) };
}

test('an agent that the newest versions break at its import is built again as of the archive’s date, serves, and says so', async () => {
  const { api, deployment } = await made('older', `from brittle import greet\nbrittle_says = greet()\n${serve}`, new Date('2021-06-01'));
  await reaches(api, deployment.id, ['active']);
  assert.equal((await paddock.visit('older.localhost')).body, 'old');
  const { plan, restarts } = await api.deployments.get({ id: deployment.id });
  assert.match(
    plan?.warnings.join('\n') ?? '',
    /did not start with the newest versions[^]*those of 2021-06-01[^]*cannot import name 'greet'/,
  );
  assert.equal(restarts, 0);
});

test('if the older versions break it, too, the first error is told, and that the date was tried', async () => {
  const main = 'import brittle\nif hasattr(brittle, "greet"):\n    from brittle import nothing\nfrom brittle import greet\n';
  const { api, deployment } = await made('both', main, new Date('2021-06-01'));
  await assert.rejects(
    reaches(api, deployment.id, ['active']),
    /is failed, not active: Start failed: [^]*'greet'[^]*versions of 2021-06-01, the newest date in the archive, were tried, too, and failed\./,
  );
});

test('in an archive of these days the package that broke is held below its version, which is said, and tried once', async () => {
  const today = await made('today', `from brittle import greet\nbrittle_says = greet()\n${serve}`, new Date());
  await reaches(today.api, today.deployment.id, ['active']);
  assert.equal((await paddock.visit('today.localhost')).body, 'old');
  const { plan } = await today.api.deployments.get({ id: today.deployment.id });
  assert.match(
    plan?.warnings.join('\n') ?? '',
    /did not start with the newest versions[^]*so brittle<2 was taken[^]*cannot import name 'greet'/,
  );
  const never = await made('never', 'from brittle import nothing\n', new Date());
  await assert.rejects(reaches(never.api, never.deployment.id, ['active']), /'nothing'[^]*brittle<2 was tried, too, and failed/);
});

test('an import of the archive’s own modules is no fault of versions', async () => {
  // The newest version is installed and the archive is old: the only difference is which module lacks the name.
  const own = await made('own', 'import brittle\nfrom http.cookies import gone\n', new Date('2021-06-01'));
  await assert.rejects(reaches(own.api, own.deployment.id, ['active']), /'gone'(?![^]*were tried)/);
});
