import { piiTypes } from '@paddock/pii/types';
import type { PolicyRule, PolicyRuleKind, RuleOfKind } from './rule.ts';

/** The effect of an active policy for each kind of rule, as a sentence. */
const effects: { [Kind in PolicyRuleKind]: (rule: RuleOfKind<Kind>) => string } = {
  retention: ({ data, days }) =>
    `Deletes ${andList(data)} that are older than ${daysText(days)}, in every project. Never keeps them longer than this installation does.`,
  key_age: ({ days }) =>
    `Refuses to make API keys that live longer than ${daysText(days)}, and refuses what a key asks that was made more than ${daysText(days)} ago.`,
  failed_logins: ({ count }) =>
    `Opens an alert when ${count} ${count === 1 ? 'sign-in fails' : 'sign-ins fail'} within an hour for an account of the team.`,
  redact: ({ types }) =>
    `Stores ${types.length === piiTypes.length ? 'personal data of all types' : andList(types)} redacted in every project, and refuses settings that allow it as it is.`,
  environments: ({ environments }) => `Refuses deployments outside ${andList(environments)}.`,
  database_modes: ({ modes }) => `Refuses deployments whose database mode is not ${orList(modes)}.`,
  two_factor: () =>
    'Refuses changes by people of the team who sign in without a second factor, until they turn it on in the settings. API keys are not concerned.',
  idle_sessions: ({ minutes }) =>
    `Ends sessions of people of the team that were not used for ${minutes} minutes: the next request asks for a new sign-in. An open console counts as use; API keys are not concerned.`,
  deployers: ({ people, keys }) =>
    `Refuses deployments by anybody but ${andList([...people, ...keys.map((key) => `the API key ${key}`)])}. A key counts by its own name, not by the person who made it.`,
  health_path: () => 'Fails deployments whose paddock.yaml names no health path, before the agent is started.',
  hosts: ({ which, hosts }) =>
    which === 'only'
      ? `Lets agents call ${hosts.length > 0 ? `${andList(hosts)}, and no other host` : 'no host at all'}: other names are not resolved for them, and every other address is closed. Their managed databases stay open. Agents that run are held to it within seconds.`
      : `Does not resolve ${orList(hosts)} for agents, within seconds also for those that run. An agent that knows the address of a name may still call it: only 'Allowed hosts' closes every other address.`,
  budget: ({ usd }) =>
    `Refuses deployments, and opens an alert, while the model calls of the team's production agents cost more than $${dollars(usd)} today (UTC).`,
};

export const effectOf = (rule: PolicyRule): string => (effects[rule.kind] as (rule: PolicyRule) => string)(rule);

const daysText = (days: number) => (days === 1 ? 'a day' : `${days} days`);
const dollars = (usd: number) => (Number.isInteger(usd) ? String(usd) : usd.toFixed(2));
const andList = (words: readonly string[]) => joined(words, 'and');
const orList = (words: readonly string[]) => joined(words, 'or');
const joined = (words: readonly string[], word: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
