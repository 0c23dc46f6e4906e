import type { Protocol, ProtocolItem } from '@paddock/contract';
import { at, type Fields, fieldsOf, most, pathOf, textOf } from './hostile.ts';
import { exampleText } from './schema.ts';

const methods = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
type Name = keyof typeof methods;

/** The routes in an agent's own OpenAPI document. Undefined for anything else. */
export function openapi(value: unknown): Protocol | undefined {
  const document = fieldsOf(value);
  const paths = fieldsOf(at(document, 'paths'));
  if (!paths || typeof (at(document, 'openapi') ?? at(document, 'swagger')) !== 'string') return undefined;
  const places = Object.keys(paths).flatMap((path) => {
    const operations = fieldsOf(paths[path]);
    const isSendable = pathOf(path) !== undefined;
    const names = (Object.keys(methods) as Name[]).filter((name) => isSendable && fieldsOf(at(operations, name)));
    return names.map((name) => ({ path, name, operation: fieldsOf(at(operations, name))! }));
  });
  const info = fieldsOf(at(document, 'info'));
  return {
    kind: 'openapi',
    path: '/openapi.json',
    name: textOf(at(info, 'title'), most.name),
    version: textOf(at(info, 'version'), 40),
    description: textOf(at(info, 'description'), most.description),
    items: places.slice(0, most.items).map((place) => describeRoute(place, document!)),
    more: Math.max(0, places.length - most.items),
  };
}

/** All paths of an OpenAPI document. */
export const listPaths = (document: unknown): Set<string> => new Set(Object.keys(fieldsOf(at(fieldsOf(document), 'paths')) ?? {}));

function describeRoute({ path, name, operation }: { path: string; name: Name; operation: Fields }, document: Fields): ProtocolItem {
  const method = methods[name];
  const content = fieldsOf(at(fieldsOf(at(operation, 'requestBody')), 'content'));
  const body = fieldsOf(at(content, 'application/json'));
  const schema = body && Object.hasOwn(body, 'example') ? { example: body.example } : at(body, 'schema');
  return {
    name: `${method} ${path}`,
    description: textOf(at(operation, 'summary') ?? at(operation, 'description'), most.description),
    method,
    path,
    fields: null,
    example: schema === undefined ? '' : exampleText(schema, document),
  };
}
