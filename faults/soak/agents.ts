/** Lines per second that each agent writes. */
export const linesPerSecond = 2;

const node = (version: string) => `
let count = 0;
setInterval(() => console.log('line ' + ++count + ' of ${version}'), ${1000 / linesPerSecond});
require('node:http').createServer((request, response) => {
  if (request.url === '/crash') setTimeout(() => process.exit(3), 20);
  response.end('${version}');
}).listen(process.env.PORT);
`;

const python = (version: string) => `
import http.server, os, threading, time

class Agent(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == '/crash':
            threading.Timer(0.02, lambda: os._exit(3)).start()
        self.send_response(200)
        self.send_header('content-length', '${version.length}')
        self.end_headers()
        self.wfile.write(b'${version}')

    def log_message(self, *args):
        pass

def write():
    count = 0
    while True:
        count += 1
        print('line', count, 'of ${version}', flush=True)
        time.sleep(${1 / linesPerSecond})

threading.Thread(target=write, daemon=True).start()
http.server.ThreadingHTTPServer(('0.0.0.0', int(os.environ['PORT'])), Agent).serve_forever()
`;

export type Language = 'node' | 'python';

/** An agent that answers with its version, writes lines all the time, and dies when `/crash` is visited. */
export const agentFiles = (language: Language, version: string): Record<string, string> =>
  language === 'node' ? { 'server.js': node(version) } : { 'main.py': python(version) };

/** An agent that exits before it serves anything. */
export const brokenFiles = (version: string): Record<string, string> => ({
  'server.js': `console.error('broken ${version}'); process.exit(1);`,
});
