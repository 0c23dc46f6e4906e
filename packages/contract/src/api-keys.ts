import * as z from 'zod';
import { id, nextCursor, nothing, page, timestamp } from './lists.ts';
import { route } from './route.ts';
import { type Scope, scopes } from './scopes.ts';

const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];
export const Scopes = z.array(z.enum(scopeNames));

export const ApiKey = z.object({
  id: id('key'),
  name: z.string(),
  key_prefix: z.string().meta({ description: 'How the key begins' }),
  key_suffix: z.string().meta({ description: 'Its last four characters' }),
  is_test_key: z.boolean(),
  scopes: Scopes,
  is_active: z.boolean().meta({ description: 'False once it is revoked or has expired' }),
  rate_limit: z.number().int().meta({ description: 'Requests per minute' }),
  total_requests: z.number().int(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  last_used_ip: z.string().nullable(),
  revoked_at: timestamp.nullable(),
  created_by: z.string().meta({ description: 'Name of the person for whom it acts' }),
  created_by_key: z
    .string()
    .nullable()
    .meta({ description: 'Id of the API key that created it; null where a person did. Revoking that one ends this one' }),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The only response that contains the key itself. */
export const CreatedKey = z.object({
  api_key: z.string().meta({ description: 'The key itself; it is told here and never again' }),
  key_info: ApiKey,
  warning: z.string(),
});
export type CreatedKey = z.infer<typeof CreatedKey>;

const one = z.strictObject({ id: id('key') });

export const apiKeys = {
  list: route({
    method: 'GET',
    path: '/api-keys',
    access: 'keys:read',
    summary: 'API keys, newest first; revoked ones too',
    errors: ['cursor_invalid'],
    input: z.strictObject(page.shape),
    output: z.object({ api_keys: z.array(ApiKey), next_cursor: nextCursor }),
  }),
  create: route({
    method: 'POST',
    path: '/api-keys',
    answer: 'shown-once',
    access: 'keys:write',
    status: 201,
    location: '/api-keys/{key_info.id}',
    summary: 'Create an API key; the answer alone has it in full. A key creates only keys that may do no more than itself',
    note: 'Paddock stores a hash of it. The person gets a mail. A team has at most 100 live keys.',
    audit: 'api-key.create',
    errors: ['api_keys_too_many', 'api_key_exceeds_own'],
    input: z.strictObject({
      name: z
        .string()
        .trim()
        .min(1, 'Enter a name')
        .max(100)
        // The name is shown in one line of mails and confirmations.
        .regex(/^\P{Cc}*$/u, 'A name has no line breaks or control characters'),
      is_test: z.boolean().default(false).meta({ description: 'A test key may make 60 requests a minute instead of 300' }),
      scopes: Scopes.min(1, 'Choose at least one scope').max(scopeNames.length).default(['agents:read', 'agents:write']),
      expires_in_days: z.number().int().min(1).max(3650).optional().meta({ description: 'Without it the key does not expire' }),
    }),
    output: CreatedKey,
  }),
  get: route({
    method: 'GET',
    path: '/api-keys/:id',
    access: 'keys:read',
    summary: 'One API key, without the key itself',
    errors: ['api_key_not_found'],
    input: one,
    output: ApiKey,
  }),
  validate: route({
    method: 'GET',
    path: '/api-keys/validate',
    access: 'any',
    summary: 'Whom the token stands for and what it may do',
    input: z.strictObject({}),
    output: z.object({
      kind: z.enum(['session', 'api_key']),
      user: z.object({ id: id('usr'), name: z.string(), email: z.string() }),
      scopes: Scopes.meta({ description: 'A session has all' }),
      rate_limit: z.number().int().nullable().meta({ description: 'Requests per minute; null for a session' }),
      expires_at: timestamp.nullable().meta({ description: 'Of the key; null when it does not expire, and for a session' }),
      key_info: ApiKey.nullable(),
    }),
  }),
  revoke: route({
    method: 'DELETE',
    path: '/api-keys/:id',
    access: 'any',
    of_others: 'keys:write',
    status: 204,
    summary:
      'Revoke a key, what has replaced it by rotation, and the keys that they created. A key may revoke itself, and others with `keys:write`',
    audit: 'api-key.revoke',
    errors: ['api_key_not_found', 'session_needed'],
    input: one,
    output: nothing,
  }),
  rotate: route({
    method: 'POST',
    path: '/api-keys/:id/rotate',
    answer: 'shown-once',
    access: 'any',
    of_others: 'keys:write',
    status: 201,
    location: '/api-keys/{key_info.id}',
    summary:
      'Replace a key by a new one with the same name, scopes and lifetime; the old one ends at once. A key may rotate itself, and with `keys:write` others that may do no more than itself',
    audit: 'api-key.rotate',
    errors: ['api_key_not_found', 'api_key_revoked', 'api_keys_too_many', 'api_key_exceeds_own', 'session_needed'],
    input: one,
    output: CreatedKey,
  }),
};
