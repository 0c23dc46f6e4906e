import { randomBytes, randomInt } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiRequest, type Client, createClient } from '@paddock/client';
import { streamLines } from '@paddock/client/stream-lines';
import { ApiError, contract, type Deployment, type ErrorCode, type Problem, type User } from '@paddock/contract';
import { storedZip } from '../demo/stored-zip.ts';
import { place } from './place.ts';

export type Api = Client<typeof contract>;
export interface Person {
  api: Api;
  token: string;
  user: User;
  email: string;
  password: string;
}

const callMs = 30_000;

/** A random client address. Rate limits count by it. */
export const someAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`;
export const someEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

/** The typed API as a program uses it. */
export function apiOf(token?: string): Api {
  const address = someAddress();
  return createClient(contract, async (sent) => {
    const response = await fetch(`${place().origin}/api/v1${sent.url}`, {
      method: sent.method,
      headers: {
        'x-forwarded-for': address,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(callMs),
      ...bodyOf(sent),
    });
    if (response.ok && sent.stream) return streamLines(response.body!);
    const text = await response.text();
    if (response.ok && sent.download) return text;
    if (response.ok) return text === '' ? null : JSON.parse(text);
    const { code, detail } = JSON.parse(text) as Problem & { code: ErrorCode };
    throw new ApiError(code, { detail });
  });
}

function bodyOf({ body, form }: ApiRequest): { body?: string | FormData } {
  if (!form) return body === undefined ? {} : { body: JSON.stringify(body) };
  const data = new FormData();
  for (const [name, value] of Object.entries(form.fields)) if (value !== undefined) data.set(name, String(value));
  data.set(form.file_field, form.file, form.file_name);
  return { body: data };
}

/** A new person, signed in. */
export async function newPerson(): Promise<Person> {
  const [email, password] = [someEmail(), 'correct horse'];
  await apiOf().accounts.signup({ email, password, name: 'Ada Lovelace' });
  const { token, user } = await apiOf().accounts.login({ email, password });
  return { api: apiOf(token), token, user, email, password };
}

/** A unique project name: names become addresses that all people share. */
export const someName = (word: string) => `${word}-${randomBytes(3).toString('hex')}`;

export async function newProject({ api }: Person, word = 'agent') {
  return api.projects.create({ name: someName(word), description: 'Answers what it is asked' });
}

type Target = { project_id: string; environment: 'production' | 'preview' };

export const deployTo = ({ api }: Person, target: Target, files: Record<string, string>) =>
  api.deployments.create({ ...target, file: new Blob([new Uint8Array(storedZip(files))]), file_name: 'agent.zip' });

const reachMs = 60_000;

/** Deploys to production. */
export const deploy = (person: Person, project_id: string, files: Record<string, string>) =>
  deployTo(person, { project_id, environment: 'production' }, files);

/** Waits until the deployment has the status; throws its message when it ends with another. */
export async function reaches({ api }: Person, id: string, wanted: Deployment['status']): Promise<Deployment> {
  let last = await api.deployments.get({ id });
  for (const until = Date.now() + reachMs; Date.now() < until; await sleep(100)) {
    last = await api.deployments.get({ id });
    if (last.status === wanted) return last;
    if (['failed', 'stopped', 'completed'].includes(last.status)) break;
  }
  throw new Error(`${id} is ${last.status}, not ${wanted}: ${last.error_message}`);
}

/** Waits until the gateway serves the address: gateways learn of an active deployment a moment after the API reports it. */
export async function served(url: string) {
  for (const until = Date.now() + callMs; (await ask(url)).status === 503; await sleep(50))
    if (Date.now() > until) throw new Error(`${url} does not answer`);
}

/** A request to an agent through the gateway, as a program makes it. */
export function ask(url: string, path = '/', body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: place().gatewayPort,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: new URL(url).host },
        agent: false,
        timeout: callMs,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        answer.on('error', reject);
      },
    );
    call.on('timeout', () => call.destroy(new Error('time-out')));
    call.on('error', reject);
    call.end(body);
  });
}
