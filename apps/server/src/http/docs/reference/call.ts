import { errors, type Route, type Scope, scopes } from '@paddock/contract';
import { escape } from '../frame.ts';
import { toAnchor } from '../guide-pages.ts';
import type { Answer, Operation, Parameter } from '../operation.ts';
import { refName } from '../schema.ts';
import { listErrors } from './call-errors.ts';
import { formatCurl } from './curl.ts';
import { code, type Field, fieldList, listFields, prose, renderType } from './fields.ts';

export interface Call {
  /** The call's anchor on the page of its group. */
  anchor: string;
  /** Like `/projects/{id}`. */
  path: string;
  route: Route;
  operation: Operation;
}

export const callName = ({ route, path }: Call) => `<span class="method">${route.method}</span> <code>${path}</code>`;

/** The full documentation of a call. */
export function callSection(call: Call, publicUrl: string): string {
  const { anchor, path, route, operation } = call;
  const parts = [
    `<h2 id="${anchor}"><a href="#${anchor}">${callName(call)}</a></h2>`,
    `<p>${prose(operation.summary)}.</p><p>${renderAccess(operation)}</p>`,
    renderParameters(operation, 'path'),
    renderParameters(operation, 'query'),
    renderParameters(operation, 'header'),
    renderBody(operation),
    renderAnswer(operation),
    `<h3>Errors</h3><ul class="errors">${listErrors(route).map(errorLink).join('')}</ul>`,
    `<h3>Example</h3><pre><code>${escape(formatCurl({ method: route.method, path, operation, publicUrl }))}</code></pre>`,
  ];
  return `<section aria-labelledby="${anchor}">${parts.join('')}</section>`;
}

/** The required access, with a link to the scope's other calls. */
function renderAccess({ description, 'x-paddock-scope': scope }: Operation): string {
  const told = prose(description);
  if (scope === undefined) return told;
  const place = toAnchor(`${scope} (${scopes[scope as Scope]})`);
  return told.replace(code(scope), `<a href="/docs/scopes#${place}">${code(scope)}</a>`);
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const satisfies Record<Parameter['in'], string>;
const repeating = 'A repeated request with the same key <a href="/docs/api#repeated-requests">is carried out once</a>.';

function renderParameters({ parameters = [] }: Operation, place: Parameter['in']): string {
  const fields = parameters.filter((each) => each.in === place).map(parameterField);
  return fields.length > 0 ? `<h3>${places[place]}</h3>${fieldList(fields)}` : '';
}

function parameterField({ name, schema, required }: Parameter): Field {
  const field: Field = { name, schema, isRequired: required, isSent: true };
  return name === 'Idempotency-Key' ? { ...field, note: repeating } : field;
}

function renderBody({ requestBody }: Operation): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => `<h3>Body</h3><p>${code(type)}</p>${fieldList(listFields(schema, true))}`)
    .join('');
}

function renderAnswer({ responses }: Operation): string {
  const [status, answer] = Object.entries(responses).find(([each]) => each.startsWith('2'))!;
  const headers = Object.entries(answer.headers ?? {}).map(
    ([name, { description }]) => `<p>Header ${code(name)}: ${prose(description)}.</p>`,
  );
  return `<h3>Answer</h3>${renderContent(status, answer)}${headers.join('')}`;
}

function renderContent(status: string, { content }: Answer): string {
  if (!content) return `<p>${code(status)} without a body</p>`;
  const types = Object.keys(content);
  const { schema } = content[types[0]!]!;
  const type = `<p>${code(status)} ${types.map(code).join(' or ')}`;
  if (refName(schema)) return `${type}: ${renderType(schema)}</p>`;
  return `${type}</p>${fieldList(listFields(schema, false))}`;
}

const errorLink = (each: keyof typeof errors) => `<li><a href="/docs/errors#${each}">${code(each)}</a> ${errors[each].status}</li>`;
