import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { type Agent, type Arena, makeAgent, openArena, type Place, placeOf } from '../agents/arena.ts';
import { startVisitor, type Visitor } from './visits.ts';

/** A platform with a neighbour, a visitor of the neighbour, and the agents that attacks use. */
export interface Ground extends Arena {
  neighbourPlace: Place;
  /** Sends the broken and endless responses. */
  odd: Agent;
  /** Gives correct responses: long, late and endless ones, and takes bodies and WebSockets. */
  plain: Agent;
  visitor: Visitor;
  pids: { server: number; gateway: number; database: number[] };
}

const source = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const script = (path: string) => stripTypeScriptTypes(source(path));
const start = '{"type":"module","scripts":{"start":"node server.mjs"}}';

export async function openGround(): Promise<Ground> {
  const arena = await openArena();
  const { paddock, eve, neighbour } = arena;
  const odd = await makeAgent(paddock, eve.api, {
    name: 'odd',
    files: {
      'package.json': start,
      'server.mjs': source('agents/odd.mjs'),
      'answers.mjs': script('../http/answers.ts'),
      'odd-answers.mjs': script('agents/odd-answers.ts'),
    },
  });
  const plain = await makeAgent(paddock, eve.api, {
    name: 'plain',
    files: { 'package.json': start, 'server.mjs': source('agents/plain.mjs') },
  });
  const neighbourPlace = placeOf(paddock.dataDir, neighbour.deployment_id);
  if (!neighbourPlace) throw new Error('The neighbour has no control group; this program needs root.');
  const visitor = startVisitor(paddock.gatewayPort, neighbour.host);
  const database = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(isPostgres).map(Number);
  // From here on this process does only the attacks' own work. The processes that it has started keep their priority.
  setPriority(19);
  const pids = { server: paddock.serverPid(), gateway: await paddock.gatewayPid(), database };
  return { ...arena, odd, plain, neighbourPlace, visitor, pids };
}

const isPostgres = (pid: string) => pid !== '' && /postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'));
