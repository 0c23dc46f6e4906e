import { execFile } from 'node:child_process';
import { createConnection } from 'node:net';
import type { Context } from '../context.ts';
import type { Check } from './check.ts';

const programMs = 10_000;
const connectMs = 1000;

/** Versions of the programs of this machine, and the listeners on Paddock's ports. */
export async function machineChecks({ version, env }: Context): Promise<Check[]> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const consolePort = Number(env['PADDOCK_PORT'] || 4000);
  const gatewayPort = Number(env['PADDOCK_GATEWAY_PORT'] || 4001);
  return [
    { name: 'paddock', state: 'ok', found: version },
    major >= 20
      ? { name: 'Node', state: 'ok', found: process.versions.node }
      : { name: 'Node', state: 'problem', found: process.versions.node, remedy: 'Install Node 20 or newer from https://nodejs.org.' },
    await program('git', ['--version'], 'The server does not need it; you do, to get and upgrade Paddock: apt-get install git'),
    await program('python3', ['--version'], 'A server needs it for Python agents: apt-get install python3 python3-venv'),
    await redis(),
    await port('Port of the console', consolePort),
    await port('Port of the agents', gatewayPort),
  ];
}

async function program(name: string, args: string[], remedy: string): Promise<Check> {
  const found = await output(name, args);
  return found === undefined ? { name, state: 'notice', found: 'not found on this machine', remedy } : { name, state: 'ok', found };
}

async function redis(): Promise<Check> {
  for (const name of ['redis-server', 'valkey-server']) {
    const found = await output(name, ['--version']);
    if (found !== undefined) return { name: 'Redis', state: 'ok', found };
  }
  return {
    name: 'Redis',
    state: 'notice',
    found: 'not found on this machine',
    remedy: 'A server needs it for managed databases and for its tests: apt-get install redis-server',
  };
}

async function port(name: string, number: number): Promise<Check> {
  const taken = await isTaken(number);
  // The server check reports whether the listener is a Paddock.
  return { name, state: 'ok', found: `${number} is ${taken ? 'in use, by Paddock or by another program' : 'free'}` };
}

function isTaken(number: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: number, timeout: connectMs });
    const settle = (taken: boolean) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function output(name: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(name, args, { timeout: programMs, encoding: 'utf8' }, (error, stdout) => {
      resolve(error ? undefined : (stdout.trim().split('\n')[0] ?? ''));
    });
  });
}
