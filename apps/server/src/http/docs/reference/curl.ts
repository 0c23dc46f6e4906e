import { defaultDataProtection } from '@paddock/contract';
import type { Operation, Parameter, Schema } from '../openapi.ts';
import { core } from './fields.ts';

interface Request {
  method: string;
  /** Like `/projects/{id}`. */
  path: string;
  operation: Operation;
  publicUrl: string;
}

/** A command that makes the call on this server, with all required fields. */
export function formatCurl({ method, path, operation, publicUrl }: Request): string {
  const { operationId, parameters = [], requestBody, security = [] } = operation;
  const command = ['curl'];
  // curl's default is GET without a body, and POST with one.
  if (method !== 'GET' && !(method === 'POST' && requestBody)) command[0] += ` -X ${method}`;
  command[0] += ` ${quoted(`${publicUrl}/api/v1${filled(path, parameters)}`)}`;
  if (security.length > 0) command.push('-H "authorization: Bearer $TOKEN"');
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
    if (type === 'application/json')
      command.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(bodySample(operationId, schema))}'`);
    else command.push(...formParts(operationId, schema));
  return command.join(' \\\n  ');
}

/** Quotes a URL with characters that are special to the shell. */
const quoted = (url: string) => (/[?&]/.test(url) ? `'${url}'` : url);

function filled(path: string, parameters: Parameter[]): string {
  const query = new URLSearchParams();
  let filledPath = path;
  for (const { name, in: place, required, schema } of parameters) {
    const value = String(buildSample(name, schema));
    if (place === 'path') filledPath = filledPath.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query' && required) query.set(name, value);
  }
  return query.size > 0 ? `${filledPath}?${query}` : filledPath;
}

function formParts(operationId: string, schema: Schema): string[] {
  return Object.entries(bodySample(operationId, schema)).map(([name, value]) =>
    schema.properties?.[name]?.format === 'binary' ? `-F ${name}=@agent.zip` : `-F ${name}=${value}`,
  );
}

/** Samples of the required fields; of all fields if none is required. */
function bodySample(operationId: string, { properties = {}, required: always = [], oneOf }: Schema): Record<string, unknown> {
  // The last alternative of a oneOf: a name is more readable than an id.
  const required = [...always, ...(oneOf?.at(-1)?.required ?? [])];
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
  'deployments.try.method': 'POST',
  'deployments.try.path': '/chat',
  'deployments.try.headers': [{ name: 'content-type', value: 'application/json' }],
  'deployments.try.body': '{"message": "Hello"}',
};

function buildSample(name: string, schema: Schema): unknown {
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
