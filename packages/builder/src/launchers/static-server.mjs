// Serves a folder: static-server.mjs FOLDER
import { createServer } from 'node:http';
import { serveFolder } from './static-files.mjs';

const serve = await serveFolder(process.argv[2] ?? '.');
const server = createServer((request, response) => void serve(request, response));
server.listen(Number(process.env.PORT ?? 8080), '0.0.0.0');
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.close(() => process.exit(0)));
