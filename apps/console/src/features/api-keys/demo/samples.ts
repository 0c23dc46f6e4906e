import type { ApiKey } from '@paddock/contract';
import { cliScopes } from '@paddock/contract/scopes';
import { dayMs, iso, minuteMs } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';

/** Requests per minute of the demo's keys. */
export const demoRate = { live: 300, test: 60 };

type Sample = Pick<ApiKey, 'name' | 'scopes' | 'total_requests'> & {
  test?: true;
  ago: number;
  used?: [ago: number, from: string];
  lives?: number;
  revoked?: number;
};

const samples: Sample[] = [
  {
    name: 'Deploy from CI',
    scopes: ['agents:read', 'agents:write', 'agents:deploy', 'projects:read', 'logs:read'],
    total_requests: 18_402,
    ago: 31 * dayMs,
    used: [2 * minuteMs, '203.0.113.24'],
    lives: 90,
  },
  {
    name: 'Status page',
    scopes: ['agents:read', 'projects:read'],
    total_requests: 240_119,
    ago: 118 * dayMs,
    used: [20_000, '198.51.100.7'],
  },
  { name: 'CLI Login - laptop', scopes: [...cliScopes], total_requests: 377, ago: 12 * dayMs, used: [3 * dayMs, '192.0.2.81'], lives: 365 },
  { name: 'Trying things out', scopes: ['agents:read', 'agents:write'], total_requests: 0, test: true, ago: dayMs, lives: 30 },
  {
    name: 'Old pipeline',
    scopes: ['agents:read', 'agents:deploy'],
    total_requests: 52_830,
    ago: 240 * dayMs,
    used: [33 * dayMs, '203.0.113.9'],
    revoked: 31 * dayMs,
  },
  {
    name: 'Workshop',
    scopes: ['agents:read'],
    total_requests: 64,
    test: true,
    ago: 45 * dayMs,
    used: [16 * dayMs, '192.0.2.140'],
    lives: 30,
  },
];

export const sampleKeys = (now: number): ApiKey[] =>
  samples.map(({ name, scopes, total_requests, test, ago, used, lives, revoked }, index) => {
    const expires = lives === undefined ? null : now - ago + lives * dayMs;
    return {
      id: sampleId('key', index + 1),
      name,
      key_prefix: 'pk_demo_fake',
      key_suffix: sampleId('key', index + 1).slice(-4),
      is_test_key: test === true,
      scopes,
      is_active: revoked === undefined && (expires === null || expires > now),
      rate_limit: test ? demoRate.test : demoRate.live,
      total_requests,
      created_at: iso(now - ago),
      expires_at: expires === null ? null : iso(expires),
      last_used_at: used ? iso(now - used[0]) : null,
      last_used_ip: used ? used[1] : null,
      revoked_at: revoked === undefined ? null : iso(now - revoked),
      created_by: 'Demo User',
      created_by_key: null,
    };
  });
