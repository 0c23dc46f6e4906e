import type { Operation, Parameter } from '../operation.ts';
import { buildSample, type Sample } from '../samples.ts';
import type { Schema } from '../schema.ts';

interface Request {
  method: string;
  /** Like `/projects/{id}`. */
  path: string;
  operation: Operation;
  publicUrl: string;
}

/** A command that makes the call on this server, with all required fields. */
export function formatCurl({ method, path, operation, publicUrl }: Request): string {
  const { parameters = [], requestBody, security = [] } = operation;
  const command = ['curl'];
  // curl's default is GET without a body, and POST with one.
  if (method !== 'GET' && !(method === 'POST' && requestBody)) command[0] += ` -X ${method}`;
  command[0] += ` ${quoted(`${publicUrl}/api/v1${filled(path, parameters)}`)}`;
  if (security.length > 0) command.push('-H "authorization: Bearer $TOKEN"');
  for (const [type, { schema, example = {} }] of Object.entries(requestBody?.content ?? {}))
    if (type === 'application/json') command.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(example)}'`);
    else command.push(...formParts(schema, example));
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

function formParts(schema: Schema, example: Sample): string[] {
  return Object.entries(example).map(([name, value]) =>
    schema.properties?.[name]?.format === 'binary' ? `-F ${name}=@agent.zip` : `-F ${name}=${value}`,
  );
}
