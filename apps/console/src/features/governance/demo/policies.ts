import type { CallOptions, Client } from '@paddock/client';
import type { Policy } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { answer } from '../../../demo/answering.ts';
import { freshId, sampleId } from '../../../demo/ids.ts';
import { understood } from '../policies/understood.ts';

type Deps = Pick<Policy, 'name' | 'description' | 'type' | 'status' | 'rules'>;
type Sent = Parameters<Client<typeof contract>['policies']['create']>[0];

const samples: [days: number, policy: Deps][] = [
  [
    12,
    {
      name: 'Production only by the pipeline',
      description: 'Tried out before it is switched on.',
      type: 'security',
      status: 'draft',
      rules: [
        'Allowed environments: production',
        'Require health path',
        'Allowed hosts: api.openai.com, *.demo.example',
        'Two people read each change before it is deployed',
      ],
    },
  ],
  [
    61,
    {
      name: 'Access control',
      description: 'Who may do what, and for how long.',
      type: 'access_control',
      status: 'active',
      rules: ['API keys expire within 90 days', 'Alert after 3 failed logins', 'Review access every quarter'],
    },
  ],
  [
    90,
    {
      name: 'Personal data',
      description: 'Nothing personal is stored as it is.',
      type: 'data_privacy',
      status: 'active',
      rules: ['Redact all personal data'],
    },
  ],
  [
    118,
    {
      name: 'Data retention',
      description: 'How long logs and records are kept.',
      type: 'data_retention',
      status: 'active',
      rules: ['Delete logs after 30 days', 'Delete audit payloads after 90 days'],
    },
  ],
  [200, { name: 'Budget of the beta', description: '', type: 'security', status: 'archived', rules: ['Budget $50 per day'] }],
];

const etagOf = (change: number) => `"demo-${change}"`;

/** Policies of the demo: changes last until reload, and nothing is enforced. */
export function demoPolicies(now = Date.now()): Client<typeof contract>['policies'] {
  const rows: Policy[] = samples.map(([days, given], index) => {
    const at = new Date(now - days * dayMs).toISOString();
    const etag = etagOf(index);
    return { ...given, id: sampleId('pol', index + 1), understood: given.rules.map(understood), created_at: at, updated_at: at, etag };
  });
  const find = (id: string) => {
    const row = rows.find((each) => each.id === id);
    if (!row) throw new ApiError('policy_not_found');
    return row;
  };
  const unchanged = (row: Policy, { if_match = '*' }: CallOptions = {}) => {
    if (if_match !== '*' && if_match !== row.etag) throw new ApiError('precondition_failed');
    return row;
  };
  let changes = samples.length;
  const kept = ({ name, description = '', type = 'data_retention', status = 'draft', rules }: Sent) => {
    const lines = rules.map((rule) => rule.trim()).filter((rule) => rule !== '');
    return {
      name: name.trim(),
      description,
      type,
      status,
      rules: lines,
      understood: lines.map(understood),
      updated_at: new Date().toISOString(),
      etag: etagOf(changes++),
    };
  };
  return {
    list: (_input, options) => answer(() => ({ policies: rows }), options),
    get: ({ id }, options) => answer(() => find(id), options),
    create: (given, options) =>
      answer(() => {
        const row: Policy = { ...kept(given), id: freshId('pol'), created_at: new Date().toISOString() };
        rows.unshift(row);
        return row;
      }, options),
    update: ({ id, ...given }, options) => answer(() => Object.assign(unchanged(find(id), options), kept(given)), options),
    delete: ({ id }, options) =>
      answer(() => {
        rows.splice(rows.indexOf(unchanged(find(id), options)), 1);
        return null;
      }, options),
    dryRun: ({ rules }, options) =>
      answer(() => {
        const tried = rules.map((rule, index) => triedRule(rule, { index, now }));
        return { days: 30, refused: tried.reduce((sum, { refused }) => sum + refused, 0), rules: tried };
      }, options),
  };
}

/** Sample figures: the demo's trail is too short for real ones. */
function triedRule(rule: string, { index, now }: { index: number; now: number }) {
  const { is_enforced, effect } = understood(rule);
  const refused = is_enforced ? (rule.length % 5) + 1 : 0;
  const examples = Array.from({ length: Math.min(2, refused) }, (_, place) => ({
    at: new Date(now - (index * 3 + place * 5 + 1) * dayMs).toISOString(),
    what: place === 0 ? 'support-router, preview' : 'nightly-eval, preview',
    audit_id: null,
  }));
  return { rule, is_enforced, refused, looked_at: is_enforced ? 'The audit trail of 30 days, and what is stored now.' : effect, examples };
}
