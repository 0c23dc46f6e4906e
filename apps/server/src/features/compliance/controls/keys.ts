import { contract, type Route, type Scope } from '@paddock/contract';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control, Problem } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { count, daysSince, toFinding } from '../finding.ts';
import { type KeyRow, keyStore } from './key-store.ts';

const most = { scopeDays: 30, sample: 1_000 };
const { ageDays, idleDays } = clauseLimits['KEY-02'];
const cryptoperiod = clauseLimits['KEY-01'].ageDays;
const keysPage = { text: 'Rotate or revoke the key', path: '/api-keys' };
const resourceOf = ({ id, name }: Pick<KeyRow, 'id' | 'name'>) => ({ type: 'api_key', id, name });

/** KEY-02: age and idleness of a team's keys. */
export const keyAgeControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'KEY-02',
  of: 'team',
  async check(team_id) {
    const keys = await keyStore(sql).liveKeys(team_id);
    return {
      looked_at: `${count(keys.length, 'live API key')}: how long ago each was rotated and used, and whether it ends.`,
      absence: 'The team has no live API key.',
      resources: keys.map((key) =>
        toFinding(
          {
            ...resourceOf(key),
            evidence: { created_at: key.created_at, last_used_at: key.last_used_at, expires_at: key.expires_at },
            fix: keysPage,
          },
          { problems: findProblems(key), fine: `The key is ${count(daysSince(key.created_at), 'day')} old, in use, and ends.` },
        ),
      ),
    };
  },
});

function findProblems({ created_at, last_used_at, expires_at }: KeyRow): Problem[] {
  const age = daysSince(created_at);
  const idle = daysSince(last_used_at ?? created_at);
  return [
    ...above(ageDays, age, ({ limit, by }) => `The key was made ${age} days ago and not rotated since; ${by} allows ${limit} days.`),
    ...above(idleDays, idle, ({ limit, by }) => `Nothing has used the key for ${idle} days; ${by} allows ${limit}.`),
    ...(expires_at === null ? [neverExpires] : []),
  ];
}

/** Only PCI DSS 8.6.3 requires that programs' secrets change periodically. */
const neverExpires: Problem = { finding: 'The key never expires.', clauses: [{ framework: 'pci-dss', clause: '8.6.3' }] };

/** Known text and byte columns of keys; a new one could hold a key. */
const knownColumns = new Set([
  ...[
    'id',
    'team_id',
    'user_id',
    'family_id',
    'replaced_by',
    'created_by_key',
    'name',
    'token_hash',
    'key_prefix',
    'key_suffix',
    'last_used_ip',
  ],
]);
const holdsText = /^(text|bytea|json|jsonb|character varying|character)$/;

/**
 * KEY-03: a reader of the database cannot use a key. The control is per team, although the table is shared: a key at fault is shown only to
 * its own team.
 */
export const keyHashControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'KEY-03',
  of: 'team',
  async check(team_id) {
    const [columns, sample] = await Promise.all([keyStore(sql).columnsOfKeys(), keyStore(sql).sampleOfKeys(team_id, most.sample)]);
    const unknown = columns.filter(({ name, type }) => holdsText.test(type) && !knownColumns.has(name));
    const bad = sample.filter(({ hash_bytes, shows_live_key }) => hash_bytes !== 32 || shows_live_key);
    return {
      looked_at: `${count(columns.length, 'column')} of the table of API keys, and the newest ${count(sample.length, 'row')} of the team.`,
      resources: [
        toFinding(
          { type: 'table', id: 'api_keys', name: 'Table of API keys', evidence: columns },
          {
            problems: unknown.map(({ name }) => `The column ${name} may hold keys, and nobody has looked at it.`),
            fine: 'No column could hold a key but as its hash.',
          },
        ),
        ...bad.map(({ id, name_of, hash_bytes, shows_live_key }) =>
          toFinding(
            {
              type: 'api_key',
              id,
              name: `${name_of}…`,
              evidence: { hash_bytes, shows_live_key },
              fix: { text: 'Revoke the key that is shown in clear, and make a new one', path: keysPage.path },
            },
            {
              problems: [
                ...(hash_bytes === 32 ? [] : [`What is stored of the key has ${hash_bytes} bytes, and a SHA-256 has 32.`]),
                ...(shows_live_key ? ['A whole key that works stands in clear in this row, such as in its name.'] : []),
              ],
              fine: '',
            },
          ),
        ),
        toFinding(
          { type: 'sample', id: 'api_keys_sample', name: 'Sample of API keys', evidence: { rows: sample.length, bad: bad.length } },
          {
            problems: [],
            fine: `${sample.length - bad.length} of ${count(sample.length, 'row')} hold a hash of 32 bytes and no key that works.`,
          },
        ),
      ],
    };
  },
});

const routes = Object.values(contract as Record<string, Record<string, Route>>).flatMap((group) => Object.values(group));
const callsOf = (scope: Scope) => routes.filter(({ access, of_others }) => access === scope || of_others === scope);
/** Recorded actions that prove the use of a scope. */
const actionsOf = (scope: Scope) => callsOf(scope).flatMap(({ audit }) => audit || []);
/** Every use of a scope that only changes things is recorded, so that no record means no use. */
const onlyChanges = (scope: Scope) => callsOf(scope).every(({ method }) => method !== 'GET');

/**
 * IAM-01: compares the scopes of keys with their recorded actions. Reads are not recorded, so a read-only scope counts as used if the key
 * is used at all.
 */
export const keyScopeControl = ({ sql }: Pick<ControlDeps, 'sql'>): Control => ({
  id: 'IAM-01',
  of: 'team',
  async check(team_id) {
    const keys = await keyStore(sql).liveKeys(team_id);
    const done = await keyStore(sql).actionsOfKeys(
      team_id,
      keys.map(({ id }) => id),
      most.scopeDays,
    );
    return {
      looked_at: `What ${count(keys.length, 'live API key')} may do, against what the audit trail says they did in ${most.scopeDays} days.`,
      absence: 'The team has no live API key.',
      resources: keys.map((key) => {
        const seen = new Set(done.get(key.id));
        const isNew = daysSince(key.created_at) < most.scopeDays;
        const isIdle = daysSince(key.last_used_at ?? key.created_at) >= most.scopeDays;
        const used = key.scopes.filter((scope) => actionsOf(scope).some((action) => seen.has(action)));
        const unused = key.scopes.filter((scope) => !used.includes(scope) && (isIdle || onlyChanges(scope)));
        const told = unused.join(', ');
        return toFinding(
          {
            ...resourceOf(key),
            evidence: { granted: key.scopes, used, unused, actions: [...seen].slice(0, 50), created_at: key.created_at },
            fix: { text: `Make a key without ${told}, and revoke this one`, path: keysPage.path },
          },
          {
            problems: isNew || unused.length === 0 ? [] : [`In ${most.scopeDays} days the key did not use what it may: ${told}.`],
            fine: isNew
              ? `The key is younger than ${most.scopeDays} days: too young to say what it does not need.`
              : 'The key used each scope whose use is recorded.',
          },
        );
      }),
    };
  },
});

/** KEY-01: the age of the installation's own keys. */
export const cryptoperiodControl = ({ sql, seal }: Pick<ControlDeps, 'sql' | 'seal'>): Control => ({
  id: 'KEY-01',
  of: 'installation',
  async check() {
    const id = seal.seal('', 'compliance').key_id;
    const made = madeAt(id);
    const signed = await keyStore(sql).firstSigned();
    return {
      looked_at: `The age of the key that seals secrets, and of the key that signs the audit trail; at most ${cryptoperiod[0].limit} days.`,
      resources: [
        made === null
          ? {
              ...sealKey,
              status: 'unverified',
              finding: 'The key comes from PADDOCK_SECRET_KEY, which does not tell when it was made.',
              evidence: { key_id: id },
              fix: { text: 'Note when you made the key, and accept this control until it is to be changed', path: null },
            }
          : toFinding(
              {
                ...sealKey,
                evidence: { key_id: id, made_at: made },
                fix: { text: 'Add a new key to secret.key and make it the current one', path: null },
              },
              judgeAge(made),
            ),
        ...(signed === null
          ? []
          : [
              toFinding(
                {
                  type: 'key',
                  id: 'audit-signing-key',
                  name: 'Key that signs the audit trail',
                  evidence: { first_signed_at: signed },
                  fix: { text: 'Paddock does not replace this key: accept the control with a reason', path: '/governance' },
                },
                judgeAge(signed),
              ),
            ]),
      ],
    };
  },
});

const sealKey = { type: 'key', id: 'seal-key', name: 'Key that seals secrets' };

const judgeAge = (made: string) => {
  const age = daysSince(made);
  return {
    problems: above(cryptoperiod, age, ({ limit, by }) => `The key is ${age} days old; ${by} allows ${limit} days.`),
    fine: `The key is ${count(age, 'day')} old.`,
  };
};

/** Keys made by Paddock are named after the millisecond of their creation. */
function madeAt(key_id: string): string | null {
  const [, stamp] = /^k([0-9a-z]{8,9})$/.exec(key_id) ?? [];
  return stamp === undefined ? null : new Date(Number.parseInt(stamp, 36)).toISOString();
}
