// The step of action.yml. It needs Node 24 and nothing else: the tool comes from the server.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { env } = process;
const requestMs = 60_000;
/** Comments of a pull request that are searched for the earlier one: 10 pages of 100. */
const maxPages = 10;
const maxReasonCharacters = 2000;

interface Pull {
  number: number;
  title: string;
}
interface Deployment {
  id: string;
  status: string;
  commit_sha: string | null;
  error_message: string | null;
}
interface Outcome {
  code: number;
  address: string;
  /** The message of a failure. */
  reason: string;
  /** Undefined if nothing was deployed. */
  deployment: Deployment | undefined;
}

const required = (name: string): string => {
  const value = env[name]?.trim();
  if (!value) throw new Error(`${name} is not set.`);
  return value;
};

const url = new URL(required('PADDOCK_URL')).origin;
const project = required('INPUT_PROJECT');
required('PADDOCK_API_KEY');
const pull = readPull();
const environment = env['INPUT_ENVIRONMENT']?.trim() || (pull ? 'preview' : 'production');
const folder = mkdtempSync(join(env['RUNNER_TEMP'] ?? tmpdir(), 'paddock-'));
try {
  const tool = await fetchTool();
  const outcome = await deploy(tool);
  writeOutputs(outcome);
  if (pull && env['INPUT_COMMENT'] !== 'false') await comment(pull, outcome).catch(tellComment);
  process.exitCode = outcome.code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readPull(): Pull | undefined {
  const path = env['GITHUB_EVENT_PATH'];
  const event = path ? (JSON.parse(readFileSync(path, 'utf8')) as { pull_request?: Pull }) : {};
  return event.pull_request;
}

/** The tool of the server's own version. */
async function fetchTool(): Promise<string> {
  const answer = await fetch(`${url}/docs/cli/paddock.mjs`, { signal: AbortSignal.timeout(requestMs) });
  if (!answer.ok) throw new Error(`The tool could not be fetched from ${url}: status ${answer.status}.`);
  const file = join(folder, 'paddock.mjs');
  writeFileSync(file, await answer.text());
  return file;
}

async function deploy(tool: string): Promise<Outcome> {
  const title = pull ? ['--message', `#${pull.number} ${pull.title}`] : [];
  const create = env['INPUT_CREATE'] === 'true' ? ['--create'] : [];
  const target = ['--project', project, '--env', environment];
  const before = await findNewest(tool, target);
  const run = await runTool(tool, ['deploy', env['INPUT_PATH'] || '.', ...target, ...create, ...title]);
  const address = run.out.trim().split('\n').at(-1) ?? '';
  const newest = await findNewest(tool, target);
  const deployment = newest?.id === before?.id ? undefined : newest;
  const reason = (deployment?.error_message ?? run.notes.trim().slice(-maxReasonCharacters)).slice(0, maxReasonCharacters);
  return { code: run.code, address: /^https?:/.test(address) ? address : '', reason, deployment };
}

/** The newest deployment of the project and environment; undefined if there is none, or no project. */
async function findNewest(tool: string, target: string[]): Promise<Deployment | undefined> {
  const { code, out } = await runTool(tool, ['list', '--json', ...target, '--limit', '1'], true);
  return code === 0 ? (JSON.parse(out) as { deployments: Deployment[] }).deployments[0] : undefined;
}

interface Run {
  code: number;
  out: string;
  notes: string;
}

/** Runs the tool with the step's log as its stderr. `isQuiet`: without it. */
function runTool(tool: string, args: string[], isQuiet = false): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const run: Run = { code: 1, out: '', notes: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (run.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      run.notes += text;
      if (!isQuiet) process.stderr.write(text);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...run, code: code ?? 1 }));
  });
}

function writeOutputs(outcome: Outcome): void {
  const { address, deployment } = outcome;
  if (env['GITHUB_OUTPUT']) appendFileSync(env['GITHUB_OUTPUT'], `address=${address}\ndeployment-id=${deployment?.id ?? ''}\n`);
  if (env['GITHUB_STEP_SUMMARY']) appendFileSync(env['GITHUB_STEP_SUMMARY'], `${describe(outcome)}\n`);
}

/** The outcome as Markdown. Text of the agent stands in a code block. */
function describe({ code, address, reason, deployment }: Outcome): string {
  const rows = [
    ['Status', code === 0 ? (deployment?.status ?? 'active') : 'failed'],
    ...(address ? [['Address', address]] : []),
    ...(deployment?.commit_sha ? [['Commit', `\`${deployment.commit_sha.slice(0, 7)}\``]] : []),
    ...(deployment ? [['Log', `${url}/deployments/${deployment.id}`]] : []),
  ];
  const table = ['| Paddock | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
  const why = code === 0 || !reason ? '' : `\n\n\`\`\`\`text\n${reason.replaceAll('````', "''''")}\n\`\`\`\``;
  return `### ${project}, ${environment}\n\n${table}${why}`;
}

/** Updates the comment that an earlier run has left, or adds one. */
async function comment({ number }: Pull, outcome: Outcome): Promise<void> {
  const mark = `<!-- paddock ${project} ${environment} -->`;
  const body = JSON.stringify({ body: `${mark}\n${describe(outcome)}` });
  const issue = `/repos/${required('GITHUB_REPOSITORY')}/issues`;
  for (let page = 1; page <= maxPages; page++) {
    const comments = (await github('GET', `${issue}/${number}/comments?per_page=100&page=${page}`)) as { id: number; body: string }[];
    const found = comments.find((one) => one.body.startsWith(mark));
    if (found) return void (await github('PATCH', `${issue}/comments/${found.id}`, body));
    if (comments.length < 100) break;
  }
  await github('POST', `${issue}/${number}/comments`, body);
}

async function github(method: string, path: string, body?: string): Promise<unknown> {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${required('GITHUB_TOKEN')}` };
  const answer = await fetch(`${env['GITHUB_API_URL'] ?? 'https://api.github.com'}${path}`, {
    ...{ method, headers, signal: AbortSignal.timeout(requestMs) },
    ...(body === undefined ? {} : { body }),
  });
  if (!answer.ok) throw new Error(`${method} ${path.split('?', 1)[0]}: status ${answer.status}`);
  return answer.json();
}

/** The deployment counts, whether or not the comment can be written: pull requests of forks have tokens that only read. */
function tellComment(error: unknown): void {
  process.stderr.write(`The comment could not be written: ${error instanceof Error ? error.message : String(error)}\n`);
}
