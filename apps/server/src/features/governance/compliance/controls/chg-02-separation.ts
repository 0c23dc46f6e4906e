import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Environment } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import type { Seal } from '../../../../secrets/seal.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, type Subject, unverified } from '../finding.ts';

const maxValues = 20_000;
/** Values compared before yielding to other work. */
const together = 200;
const secretName = /key|token|secret|passw|credential|private|auth|dsn|database_url|redis_url|connection/i;
const minSecretLength = 8;
/** A value of this length without spaces and with both digits and letters is neither a word nor a setting. */
const randomLength = 20;

/** CHG-02: no database and no secret value is used by production and by a preview at once, in the whole team. */
export function separationControl({ sql, seal }: Pick<ControlDeps, 'sql' | 'seal'>): Control {
  return {
    id: 'CHG-02',
    of: 'team',
    async check(team_id, signal) {
      // The key is discarded with this run, so that readers of the evidence cannot compare values.
      const key = randomBytes(32);
      const print = (text: string) => createHmac('sha256', key).update(text).digest('base64');
      const [variables, databases] = await Promise.all([loadVariables(sql, team_id), loadDatabases(sql, team_id)]);
      const compared = { seal, print, signal };
      const secrets = await sharing(variables, { ...compared, textOf: detectSecret });
      const places = await sharing(databases, { ...compared, textOf: (_, url) => identifyDatabase(url) });
      const resources = [
        ...places.shared.map(sharedDatabase),
        ...secrets.shared.map(sharedSecret),
        ...[...places.closed, ...secrets.closed].map(closed),
      ];
      if (variables.length === maxValues)
        resources.push(
          unverified({ type: 'team', id: team_id, name: 'Environments' }, `Only ${maxValues} variables were compared.`, {
            fix: { text: 'Remove variables that nothing uses.' },
          }),
        );
      const looked_at = `${plural(secrets.compared, 'secret value')} among ${plural(variables.length, 'variable')}, and ${plural(databases.length, 'database')} of your own, compared between production and preview. Managed databases belong to one environment each.`;
      if (resources.length > 0) return { looked_at, resources };
      if (secrets.compared + databases.length === 0)
        return { looked_at, absence: 'The team has no secret value and no database of its own to compare.', resources };
      const evidence = { variables: variables.length, secret_values: secrets.compared, databases: databases.length };
      return {
        looked_at,
        resources: [
          passed(
            { type: 'team', id: team_id, name: 'Environments' },
            'Production and preview share no database and no secret value.',
            evidence,
          ),
        ],
      };
    },
  };
}

interface Pair {
  production: OfEnvironment;
  preview: OfEnvironment;
}
interface Compared {
  compared: number;
  shared: Pair[];
  closed: OfEnvironment[];
}
interface How {
  seal: Seal;
  print: (text: string) => string;
  signal: AbortSignal;
  /** The text to compare; undefined if the value may be shared. */
  textOf: (value: OfEnvironment, text: string) => string | undefined;
}

/** Pairs of values that are in both kinds of environments, one for each place in a preview. */
async function sharing(values: readonly OfEnvironment[], { seal, print, signal, textOf }: How): Promise<Compared> {
  const production = new Map<string, OfEnvironment>();
  const previews: { print: string; value: OfEnvironment }[] = [];
  const shut: OfEnvironment[] = [];
  for (const [at, value] of values.entries()) {
    if (at % together === 0) await breathe();
    signal.throwIfAborted();
    const opened = openedText(seal, value);
    if (opened === undefined) {
      shut.push(value);
      continue;
    }
    const text = textOf(value, opened);
    if (text === undefined) continue;
    if (value.environment === 'production') production.set(print(text), value);
    else previews.push({ print: print(text), value });
  }
  const shared = previews.flatMap(({ print: one, value: preview }) => {
    const other = production.get(one);
    return other ? [{ production: other, preview }] : [];
  });
  return { compared: production.size + previews.length, shared, closed: shut };
}

function openedText(seal: Seal, { sealed, key_id, context }: OfEnvironment): string | undefined {
  try {
    return seal.open({ sealed, key_id }, context);
  } catch {
    return undefined; // reported as not verified
  }
}

/** The value if its name or form suggests a secret. A setting such as LOG_LEVEL=info may be the same everywhere. */
function detectSecret({ name }: OfEnvironment, text: string): string | undefined {
  const value = text.trim();
  if (value.length < minSecretLength) return undefined;
  if (secretName.test(name)) return identifyDatabase(value) ?? value;
  const url = URL.parse(value);
  if (url) return url.password === '' ? undefined : identifyDatabase(value);
  const isRandom = value.length >= randomLength && !/[\s/.]/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
  return isRandom ? value : undefined;
}

const defaultPorts: Record<string, string> = { 'postgres:': '5432', 'postgresql:': '5432', 'redis:': '6379', 'rediss:': '6379' };

/** A database's identity, whichever user signs in: its host, port and name. */
function identifyDatabase(text: string): string | undefined {
  const url = URL.parse(text);
  const usual = url && defaultPorts[url.protocol];
  if (!usual) return undefined;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  return `${usual} ${host} ${url.port || usual} ${decodeURIComponent(url.pathname.slice(1)) || '0'}`;
}

const variablesPath = ({ project_id }: OfEnvironment) => `/projects/${project_id}/variables?environment=preview`;

function sharedSecret({ production, preview }: Pair): ControlFinding {
  const subject: Subject = { type: 'variable', id: preview.id, name: `${preview.name} of ${preview.project_name}` };
  return failed(
    subject,
    `${preview.name} of ${preview.project_name} in preview has the value of ${production.name} of ${production.project_name} in production.`,
    {
      evidence: { production: production.id, preview: preview.id },
      fix: {
        text: 'Give preview a value of its own. If others could see the preview, give production a new one, too.',
        path: variablesPath(preview),
      },
    },
  );
}

function sharedDatabase({ production, preview }: Pair): ControlFinding {
  const subject: Subject = { type: 'database', id: preview.id, name: `${preview.name} of ${preview.project_name}, preview` };
  return failed(
    subject,
    `The ${preview.name} database of ${preview.project_name} in preview is the database of ${production.project_name} in production.`,
    {
      evidence: { production: production.id, preview: preview.id },
      fix: { text: 'Give preview a database of its own, without data of production.', path: `/databases?open=${preview.id}` },
    },
  );
}

const closed = ({ id, name, project_name, environment }: OfEnvironment): ControlFinding =>
  unverified(
    { type: 'variable', id, name: `${name} of ${project_name}` },
    `${name} of ${project_name} in ${environment} cannot be opened, so it was not compared.`,
    { evidence: { id }, fix: { text: 'Give the value again; the control ENC-02 tells why it does not open.' } },
  );

interface OfEnvironment {
  id: string;
  project_id: string;
  project_name: string;
  environment: Environment;
  /** The key of a variable, the type of a database. */
  name: string;
  context: string;
  sealed: Buffer;
  key_id: string;
}

const loadVariables = (sql: Sql, team_id: string) => sql<OfEnvironment[]>`
  select
    v.project_id || ':' || v.environment || ':' || v.key as id, v.project_id, p.name as project_name, v.environment, v.key as name,
    'variable:' || v.project_id || ':' || v.environment || ':' || v.key as context, v.sealed, v.key_id
  from variables v
  join projects p on p.id = v.project_id
  where v.team_id = ${team_id}
    and p.deleting_at is null
  order by v.project_id, v.environment, v.key
  limit ${maxValues}`;

const loadDatabases = (sql: Sql, team_id: string) => sql<OfEnvironment[]>`
  select
    b.id, b.project_id, p.name as project_name, b.environment, b.type as name, 'database:' || b.id as context, b.secret_sealed as sealed,
    b.secret_key_id as key_id
  from databases b
  join projects p on p.id = b.project_id
  where b.team_id = ${team_id}
    and b.mode = 'byo'
    and b.is_attached
    and p.deleting_at is null
  order by b.project_id, b.environment, b.type
  limit ${maxValues}`;
