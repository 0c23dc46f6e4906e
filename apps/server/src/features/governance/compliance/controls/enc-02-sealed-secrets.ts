import { setImmediate as breathe } from 'node:timers/promises';
import { plural } from '@paddock/contract/plural';
import type { Seal } from '../../../../secrets/seal.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { type Fix, failed, installation, passed, type Subject, unverified } from '../finding.ts';
import {
  knownColumns,
  loadInstallationValues,
  loadSealedColumns,
  loadTeamValues,
  maxPerColumn,
  type SealedValue,
} from './sealed-values.ts';

/** Values checked before yielding to other work. */
const together = 200;
/** Values shown per column; the rest is counted. */
const shown = 100;

type Fault = 'older_key' | 'closed' | 'moves' | 'open';

/** ENC-02: every sealed value is under the current key, opens in its own place, and in no other place. */
export function sealedSecretControl({ sql, seal }: Pick<ControlDeps, 'sql' | 'seal'>): Control {
  return {
    id: 'ENC-02',
    of: 'team',
    async check(team_id, signal) {
      const known: readonly string[] = knownColumns;
      const unknown = (await loadSealedColumns(sql)).filter((column) => !known.includes(column));
      const values = [...(await loadTeamValues(sql, team_id, maxPerColumn)), ...(await loadInstallationValues(sql))];
      const resources: ControlFinding[] = unknown.map((column) =>
        unverified(
          { type: 'installation', id: column, name: column },
          `The column ${column} holds sealed values that this check does not know how to open.`,
          { fix: { text: 'Update Paddock to a release whose check knows the column.' } },
        ),
      );
      for (const column of knownColumns) {
        const ofColumn = values.filter((value) => value.column === column);
        if (ofColumn.length > 0) resources.push(...(await judge(seal, { column, values: ofColumn, signal })));
      }
      const columns = new Set(values.map(({ column }) => column)).size;
      return {
        looked_at: `${plural(values.length, 'sealed value')} in ${plural(columns, 'column')}, each opened in its own place and tried in another.`,
        absence: 'Neither the team nor the installation has a sealed value.',
        resources,
      };
    },
  };
}

interface OfColumn {
  column: string;
  values: SealedValue[];
  signal: AbortSignal;
}

async function judge(seal: Seal, { column, values, signal }: OfColumn): Promise<ControlFinding[]> {
  const current = seal.seal('', '').key_id;
  const faults: ControlFinding[] = [];
  const counts: Partial<Record<Fault, number>> = {};
  for (const [at, value] of values.entries()) {
    if (at % together === 0) await breathe();
    signal.throwIfAborted();
    const fault = findFault(seal, value, current);
    if (!fault) continue;
    counts[fault] = (counts[fault] ?? 0) + 1;
    if (faults.length < shown)
      faults.push(failed(subjectOf(value), sentences[fault](value, current), { evidence: toEvidence(value, current), fix: again(value) }));
  }
  const good = values.length - Object.values(counts).reduce((sum, faulty) => sum + faulty, 0);
  const finding = `${plural(good, 'value')} of ${values.length} in ${column} ${good === 1 ? 'is' : 'are'} under the current key, and opened in ${good === 1 ? 'its' : 'their'} own place alone.`;
  const whole = passed({ type: 'installation', id: column, name: column }, finding, {
    column,
    values: values.length,
    good,
    key_id: current,
    ...counts,
  });
  return good > 0 ? [whole, ...faults] : faults;
}

function findFault(seal: Seal, { sealed, key_id, context }: SealedValue, current: string): Fault | undefined {
  if (key_id === null || sealed.length < 28) return 'open';
  const value = { sealed, key_id };
  if (!opens(seal, value, context)) return 'closed';
  if (opens(seal, value, `${context} of somebody else`)) return 'moves';
  return key_id === current ? undefined : 'older_key';
}

function opens(seal: Seal, value: { sealed: Buffer; key_id: string }, context: string): boolean {
  try {
    seal.open(value, context);
    return true;
  } catch {
    return false; // the seal throws when it cannot open a value
  }
}

const subjectOf = ({ subject_type: type, subject_id: id, subject_name: name }: SealedValue): Subject =>
  type === 'installation' ? installation : { type, id, name };

const toEvidence = ({ column, key_id, sealed }: SealedValue, current: string) => ({
  column,
  key_id,
  current_key_id: current,
  bytes: sealed.length,
});

/** Advice for entering the value again, with the page for it. Entering it seals it with the current key. */
function again({ column, project_id, environment, subject_id }: SealedValue): Fix {
  const query = environment === 'preview' ? '?environment=preview' : '';
  if (column === 'variables.sealed')
    return { text: 'Set the variable again: it is sealed anew.', path: `/projects/${project_id}/variables${query}` };
  if (column === 'databases.secret_sealed')
    return {
      text: 'Rotate the password of the database, or give its address again: it is sealed anew.',
      path: `/databases?open=${subject_id}`,
    };
  if (column === 'channels.sealed')
    return { text: 'Give the address of the channel again, or make the channel anew.', path: '/settings?tab=alerts' };
  if (column === 'second_factors.sealed')
    return { text: 'Have this person switch two-factor sign-in off and on again.', path: '/settings' };
  if (column === 'deployments.databases_sealed')
    return { text: 'Deploy the agent again with its databases, and delete the old deployment.', path: `/deployments/${subject_id}` };
  if (column === 'deployments.given_sealed')
    return { text: 'Restart the agent or deploy it again: what it is given is sealed anew.', path: `/deployments/${subject_id}` };
  return { text: 'The operator looks in docs/operations.md, "Lost key".' };
}

const sentences: Record<Fault, (value: SealedValue, current: string) => string> = {
  open: (value) => `${nameOf(value)} in ${value.column} has no envelope: it is not sealed.`,
  closed: (value) =>
    `${nameOf(value)} in ${value.column} does not open in its own place: it was changed or moved, or its key ${value.key_id} is gone.`,
  moves: (value) => `${nameOf(value)} in ${value.column} also opens in the place of another.`,
  older_key: (value, current) =>
    `${nameOf(value)} in ${value.column} is sealed with the older key ${value.key_id}; the current key is ${current}.`,
};

const nameOf = ({ subject_type, subject_id, subject_name }: SealedValue) =>
  subject_type === 'installation' ? 'A value' : (subject_name ?? subject_id);
