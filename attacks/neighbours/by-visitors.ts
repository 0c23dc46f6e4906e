import { gzipSync } from 'node:zlib';
import { hostileAnswers } from '../http/answers.ts';
import { oddAnswers } from './agents/odd-answers.ts';
import type { Attack } from './attack.ts';
import { type Aim, visitorFloods } from './floods.ts';
import { startGenerator } from './generator.ts';
import type { Ground } from './ground.ts';

const flood = (group: string, name: string, by: { flood: string; aim: (ground: Ground) => Aim }): Attack => ({
  group,
  name,
  async prepare(ground) {
    const generator = await startGenerator(by.flood, by.aim(ground));
    return {
      generatorPid: generator.pid,
      begin: generator.begin,
      end: async () => `${await generator.end()} times`,
    };
  },
});

const atPlain = ({ paddock, plain }: Ground): Aim => ({ port: paddock.gatewayPort, host: plain.host, path: '/', long: '/long' });
const atApi = ({ paddock }: Ground): Aim => {
  const { port, host } = new URL(paddock.origin);
  return { port: Number(port), host, path: '/api/v1/auth/login', long: '/api/v1/openapi.json' };
};

/** Visitors of a hostile team's agent. */
export const visitorAttacks: Attack[] = Object.keys(visitorFloods).map((name) => flood('visitors', name, { flood: name, aim: atPlain }));

/** Attacks against the API: one of each kind, and all slow clients. */
const ofApi =
  /^(connections without|heads of (64|5,)|heads byte|hang-ups within|small requests|requests (refused|sent|one by one)|mutated|chunks of a byte$|bodies of 100|slow|idle)/;
export const apiAttacks: Attack[] = Object.keys(visitorFloods)
  .filter((name) => ofApi.test(name))
  .map((name) => flood('api', name, { flood: name, aim: atApi }));

const broken = hostileAnswers(gzipSync('')).map(({ name, expected }) => ({ name, isEndless: expected === 'passed, bounded' }));
const answers = [...broken, ...oddAnswers].map(({ name, isEndless }, at) => ({ name, at, isEndless }));
const atAnswer =
  (at: number) =>
  ({ paddock, odd }: Ground): Aim => ({ port: paddock.gatewayPort, host: odd.host, path: `/answer/${at}`, long: '/' });

/** Every broken or endless response, requested at full speed; the endless ones also by visitors who do not read them. */
export const answerAttacks: Attack[] = [
  ...answers.map(({ name, at }) => flood('answers', name, { flood: 'taken', aim: atAnswer(at) })),
  ...answers
    .filter(({ isEndless }) => isEndless)
    .map(({ name, at }) => flood('unread answers', `${name}, unread`, { flood: 'unread', aim: atAnswer(at) })),
];
