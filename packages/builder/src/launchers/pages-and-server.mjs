// Runs a server and serves the built pages beside it, as Vite's development server does for the author:
//   pages-and-server.mjs FOLDER SERVER_PORT /api /socket.io … -- COMMAND …
// Paths below the given ones go to the server, all others to the folder. A path with `=` before it reaches the server without its beginning.
import { spawn } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { answer, serveFolder } from './static-files.mjs';

const split = process.argv.indexOf('--');
const [folder, serverPort, ...given] = process.argv.slice(2, split);
const [program, ...args] = process.argv.slice(split + 1);
const port = Number(serverPort);
const prefixes = given.map((text) => ({ path: text.replace(/^=/, ''), isCut: text.startsWith('=') }));

const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, PORT: String(port) } });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' ? 0 : 1)));

const serve = await serveFolder(folder);
// It listens at once, since the platform would take the server's port for the agent's, and answers nothing before the server is up.
const up = waitForServer();
const server = createServer(async (request, response) => {
  await up;
  const path = pathAtServer(request.url ?? '/');
  if (path === null) void serve(request, response);
  else pass(path, request, response);
});
server.on('upgrade', upgrade);
server.listen(Number(process.env.PORT ?? 8080), '0.0.0.0');

/** The path that the server gets; null for the pages. */
function pathAtServer(url) {
  const found = prefixes.find(({ path }) => url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`));
  if (found === undefined) return null;
  const rest = found.isCut ? url.slice(found.path.length) : url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function pass(path, request, response) {
  const { method, headers } = request;
  const sent = send({ host: '127.0.0.1', port, path, method, headers }, (answered) => {
    response.writeHead(answered.statusCode, answered.rawHeaders);
    pipeline(answered, response, () => undefined);
  });
  sent.on('error', (error) => {
    console.error(`The server beside the pages did not answer ${method} ${path}: ${error.message}`);
    if (response.headersSent) response.destroy();
    else answer(response, { status: 502, text: 'The server did not answer' });
  });
  // A visitor who leaves ends the work for the answer, too.
  response.on('close', () => sent.destroy());
  request.pipe(sent);
}

async function upgrade(request, socket, head) {
  await up;
  const path = pathAtServer(request.url ?? '/');
  if (path === null) {
    socket.destroy();
    return;
  }
  const { method, rawHeaders } = request;
  const other = connect(port, '127.0.0.1', () => {
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${rawHeaders[at + 1]}` : []));
    other.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    other.write(head);
    other.pipe(socket).pipe(other);
  });
  for (const [end, opposite] of [
    [socket, other],
    [other, socket],
  ]) {
    end.on('error', () => opposite.destroy());
    end.on('close', () => opposite.destroy());
  }
}

/** Waits until the server listens. The platform ends a start that takes too long. */
async function waitForServer() {
  while (!(await reaches())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function reaches() {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
}
