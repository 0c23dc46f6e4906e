import type { Client } from '@paddock/client';
import type { ApiKey, CreatedKey, User } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId } from '../../../demo/ids.ts';
import { everyScope } from '../presets.ts';
import { demoRate } from './samples.ts';

type Owner = Pick<User, 'id' | 'name' | 'email'>;

/** Keys of the demo: they can be created, rotated and revoked, and grant nothing. */
export function demoKeys(world: DemoWorld, owner: Owner): Client<typeof contract>['apiKeys'] {
  const now = () => new Date().toISOString();
  const find = (id: string) => {
    const key = world.keys.find((each) => each.id === id);
    if (!key) throw new ApiError('api_key_not_found');
    return key;
  };
  const add = (made: Pick<ApiKey, 'name' | 'is_test_key' | 'scopes'>, days: number | undefined): CreatedKey => {
    const random = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const api_key = `pk_demo_fake${random}`;
    const key_info: ApiKey = {
      ...made,
      id: freshId('key'),
      key_prefix: 'pk_demo_fake',
      key_suffix: api_key.slice(-4),
      is_active: true,
      rate_limit: made.is_test_key ? demoRate.test : demoRate.live,
      total_requests: 0,
      created_at: now(),
      expires_at: days === undefined ? null : new Date(Date.now() + days * dayMs).toISOString(),
      last_used_at: null,
      last_used_ip: null,
      revoked_at: null,
      created_by: owner.name,
      created_by_key: null,
    };
    world.keys.push(key_info);
    world.changed();
    return { api_key, key_info, warning: 'A key of the demo: it is shown once, as a real one would be, and opens nothing.' };
  };
  const end = (key: ApiKey) => Object.assign(key, { is_active: false, revoked_at: now() });

  return {
    list: (input = {}, options) =>
      answer(() => {
        const { rows, next_cursor } = paginate(
          world.keys.toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
          input,
        );
        return { api_keys: rows, next_cursor };
      }, options),
    get: ({ id }, options) => answer(() => find(id), options),
    create: ({ name, is_test = false, scopes = ['agents:read', 'agents:write'], expires_in_days }, options) =>
      answer(() => {
        if (name.trim() === '') throw new ApiError('input_invalid', { errors: [{ path: 'name', message: 'Enter a name' }] });
        return add({ name: name.trim(), is_test_key: is_test, scopes }, expires_in_days);
      }, options),
    validate: (_input, options) =>
      answer(
        () => ({
          kind: 'session' as const,
          user: { id: owner.id, name: owner.name, email: owner.email },
          scopes: everyScope,
          rate_limit: null,
          expires_at: null,
          key_info: null,
        }),
        options,
      ),
    revoke: ({ id }, options) =>
      answer(() => {
        const key = find(id);
        if (key.revoked_at === null) end(key);
        world.changed();
        return null;
      }, options),
    rotate: ({ id }, options) =>
      answer(() => {
        const old = find(id);
        if (old.revoked_at !== null) throw new ApiError('api_key_revoked');
        end(old);
        const days = old.expires_at === null ? undefined : Math.round((Date.parse(old.expires_at) - Date.parse(old.created_at)) / dayMs);
        return add({ name: old.name, is_test_key: old.is_test_key, scopes: old.scopes }, days);
      }, options),
  };
}
