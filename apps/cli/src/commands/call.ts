import { type TryEvent, type TryMethod, tryMethods } from '@paddock/contract';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type TargetOptions, theDeployment } from '../deployment.ts';
import { examples } from '../examples.ts';
import { exitCodes, usage } from '../failures.ts';
import type { Run } from '../run.ts';

interface Options extends TargetOptions {
  data?: string;
  header?: string[];
  include?: boolean;
}

export function callCommand(program: Command, run: Run) {
  program
    .command('call')
    .description('Send a request to an agent through the gateway and stream its response.')
    .argument('<deployment|project>', 'an id (dep_…) or the name of a project')
    .argument('<request...>', 'a path such as /chat, optionally preceded by a method')
    .option('-d, --data <body>', 'send this body, by POST unless a method is given')
    .option('-H, --header <header>', 'send this header, such as "accept: text/plain"; can be repeated', together)
    .option('-i, --include', 'also print the status and headers')
    .option('--env <environment>', 'production or preview', 'production')
    .addHelpText(
      'after',
      examples([
        ['paddock call chat /', 'check whether it responds'],
        [`paddock call chat /chat -d '{"message": "Hi"}'`, 'send it a message'],
        ['paddock call dep_… DELETE /memory -H "x-user: ada"', 'any method, any header'],
      ]),
    )
    .action((...[target, request, options, command]: [string, string[], Options, Command]) =>
      run(command, (context) => call(context, { target, request }, options)),
    );
}

const together = (header: string, before: string[] = []) => [...before, header];

async function call(context: Context, { target, request }: { target: string; request: string[] }, options: Options) {
  const { terminal, signal } = context;
  const wish = parseRequest(request, options);
  const server = await context.server();
  const { id } = await theDeployment(context, { server, given: target, options });
  let status = 0;
  let outcome = '';
  for await (const event of await server.api.deployments.try({ id, ...wish }, { signal })) {
    if (event.head) status = event.head.status;
    if (event.end) outcome = event.end.outcome;
    if (terminal.json) terminal.line(event, '');
    else show(context, event, options.include === true);
  }
  return outcome === 'complete' && status < 400 ? exitCodes.ok : exitCodes.failed;
}

/** Writes the body to stdout unchanged, everything else to stderr. */
function show({ terminal }: Context, { head, chunk, end }: TryEvent, withHead: boolean) {
  if (head && withHead)
    for (const line of [`Status ${head.status}`, ...head.headers.map(({ name, value }) => `${name}: ${value}`), '']) terminal.note(line);
  if (chunk !== undefined) terminal.bytes(Buffer.from(chunk, 'base64'));
  if (head && head.status >= 400 && !withHead) terminal.note(`Status ${head.status}`);
  if (end && end.outcome !== 'complete') terminal.note(end.detail);
}

/** The request for the arguments of the command. */
export function parseRequest(request: string[], { data = '', header = [] }: Pick<Options, 'data' | 'header'>) {
  const [path = '', word = data === '' ? 'GET' : 'POST', ...rest] = request.toReversed();
  const method = tryMethods.find((each) => each === word.toUpperCase());
  if (!method || rest.length > 0 || !path.startsWith('/'))
    throw usage(`Name a path such as /chat, and before it, if need be, one of ${tryMethods.join(', ')}.`);
  const headers = header.map(parseHeader);
  const isTyped = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  if (isJson(data) && !isTyped) headers.push({ name: 'content-type', value: 'application/json' });
  return { method: method satisfies TryMethod, path, headers, body: data };
}

function parseHeader(text: string) {
  const colon = text.indexOf(':');
  if (colon < 1) throw usage(`"${text}" is not a header such as "accept: text/plain".`);
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false; // sent unchanged, without a content type
  }
}
