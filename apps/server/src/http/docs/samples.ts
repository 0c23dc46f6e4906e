import { defaultDataProtection } from '@paddock/contract';
import { core, type Schema } from './schema.ts';

export type Sample = Record<string, unknown>;

/** A body of a call, with samples of the required fields; of all fields if none is required. The schema has no references. */
export function bodySample(operationId: string, { properties = {}, required: always = [], else: otherwise }: Schema): Sample {
  // Without the field of the condition: a name is more readable than an id.
  const required = [...always, ...(otherwise?.required ?? [])];
  const names = required.length > 0 ? required : Object.keys(properties).filter((name) => !properties[name]!.deprecated);
  return Object.fromEntries(names.map((name) => [name, ofCall[`${operationId}.${name}`] ?? buildSample(name, properties[name]!)]));
}

const samples: Record<string, string> = {
  confirmation: 'ada@example.com',
  email: 'ada@example.com',
  key: 'MODEL_KEY',
  name: 'my-agent',
  description: 'Answers questions',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  new_password: 'wrong donkey charger',
  url: 'postgresql://reader@db.example.com/app',
  code: '123456',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  date_from: '2026-11-01T00:00:00.000Z',
  date_to: '2026-12-01T00:00:00.000Z',
  owner: 'Ada King',
  reason: 'The agent is taken down in March',
  expires_at: '2026-12-01T00:00:00.000Z',
  payment_method_id: 'pm_card_visa',
  text: 'Write to ada@example.com',
  agent: 'my-agent',
  user: 'ada@example.com',
  search: 'refund',
  project_name: 'my-agent',
  redirect_uri: 'https://paddock.example.com/auth/callback',
  root: 'agents/chat',
  start: 'python worker.py',
  packages: 'gunicorn',
  provider: 'openai',
  model: 'my-model',
  value: 'not-a-real-key',
  rules: 'Allowed environments: production',
};

const ofCall: Record<string, unknown> = {
  'traces.usage.date_from': '2026-11-01',
  'traces.usage.date_to': '2026-11-30',
  'accounts.signup.name': 'Ada',
  'governance.setDataProtection.rules': defaultDataProtection.rules,
  'dataSubjects.create.identifiers': ['ada@example.com'],
  'dataSubjects.erase.identifiers': ['ada@example.com'],
  'profile.update.name': 'Ada King',
  'apiKeys.create.name': 'Deploy from CI',
  'invoices.setDetails.name': 'Analytical Engines Ltd',
  'invoices.setDetails.address': ['12 Long Street'],
  'invoices.setDetails.postal_code': '10115',
  'invoices.setDetails.city': 'Berlin',
  'invoices.setDetails.country': 'DE',
  'invoices.setDetails.tax_id': 'DE123456789',
  'channels.create.name': 'On call',
  'channels.create.url': 'https://hooks.example.com/paddock',
  'channels.update.name': 'On call',
  'channels.update.url': 'https://hooks.example.com/paddock',
  'policies.create.name': 'Production alone',
  'policies.update.name': 'Production alone',
  'alerts.snooze.minutes': 60,
  'usage.setBudget.amount': 50,
  'deployments.try.method': 'POST',
  'deployments.try.path': '/chat',
  'deployments.try.headers': [{ name: 'content-type', value: 'application/json' }],
  'deployments.try.body': '{"message": "Hello"}',
};

/** A value that the schema allows, like one that a person would send. */
export function buildSample(name: string, schema: Schema): unknown {
  if (schema.format === 'binary') return 'the bytes of a ZIP file';
  if (schema.items) return [buildSample(name, schema.items)];
  const { properties, required = [], type, enum: values, const: only, description, minimum } = core(schema);
  if (properties) return Object.fromEntries(required.map((each) => [each, buildSample(each, properties[each]!)]));
  if (values) return values[0];
  if (only !== undefined) return only;
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  const number = /^The number, such as (\S+?)\./.exec(description ?? '')?.[1];
  if (number) return number;
  const prefix = /^Id beginning with (\w+_)/.exec(description ?? '')?.[1];
  return prefix ? `${prefix}ID` : (samples[name] ?? name.toUpperCase());
}
