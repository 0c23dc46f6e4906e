import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, type Route, type Scope } from '@paddock/contract';
import { plainAddress } from '@paddock/network';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identify } from '../audit/call.ts';
import { changesTeam } from '../audit/read-actions.ts';
import type { Actor } from './actor.ts';
import { scopeMissingText } from './need-scope.ts';

export type { Actor } from './actor.ts';

/** The caller of routes that are closed to API keys. */
export interface Person extends Actor {
  session_id: string;
}
/** A counted request of a live key. */
export interface KeyUse {
  actor: Actor;
  scopes: Scope[];
  /** Requests per minute, the remaining ones, whether this one exceeds the limit, and when the next minute begins. */
  limit: number;
  remaining: number;
  is_over: boolean;
  reset_s: number;
  /** The key's age. */
  age_days: number;
}

/** Decisions of a team's policies about a caller; both throw policy_refused. */
export interface AdmitByPolicy {
  key: (use: Pick<KeyUse, 'actor' | 'age_days'>) => Promise<void>;
  changeByPerson: (person: Pick<Person, 'team_id' | 'user_id'>) => Promise<void>;
}

export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: Pick<Route, 'access' | 'audit' | 'path'>,
) => Promise<Actor>;
/** The origin of a request with a token. */
export interface UsedFrom {
  ip: string;
  user_agent: string;
}
/** Finds a live session by its token and records its use; undefined for anything else. */
export type FindSession = (token: string, from: UsedFrom) => Promise<Person | undefined>;
/** Finds a live API key and counts the request; undefined for anything else. */
export type UseKey = (key: string, ip: string) => Promise<KeyUse | undefined>;
/** The access that a token is checked for. */
interface Door {
  from: UsedFrom;
  access: Route['access'];
  /** The call changes data of the team. */
  changes?: boolean;
  /** Called with the counted request of a key, also of one that is refused. */
  onUse?: (use: KeyUse) => void;
}
/**
 * The same decision for everything that carries a token: throws not_signed_in, too_many_requests, session_needed, scope_missing and policy_refused.
 */
export type Admit = (token: string | undefined, door: Door) => Promise<Actor>;

// The console's demo mode never calls a server; such a token here is a mistake.
const isDemo = (token: string) => token.startsWith('demo-token-') || token.startsWith('pk_demo_');

/** A session has all scopes of the contract; a key has its own scopes, and no access to routes that require a session. */
export const admitBy =
  (findSession: FindSession, useKey: UseKey, policies: AdmitByPolicy): Admit =>
  async (token, { from, access, changes = false, onUse }) => {
    if (!token || isDemo(token)) throw new ApiError('not_signed_in');
    if (!token.startsWith('pk_')) {
      const person = await findSession(token, from);
      if (!person) throw new ApiError('not_signed_in');
      identify(person);
      if (changes) await policies.changeByPerson(person);
      return person;
    }
    const use = await useKey(token, from.ip);
    if (!use) throw new ApiError('not_signed_in');
    identify(use.actor);
    onUse?.(use);
    if (use.is_over)
      throw new ApiError('too_many_requests', {
        detail: `This API key may make ${use.limit} requests a minute. Wait a moment and try again.`,
        retry_after_s: use.reset_s,
      });
    if (access === 'session') throw new ApiError('session_needed');
    if (access !== 'any' && !use.scopes.some((scope) => scope === access))
      throw new ApiError('scope_missing', { detail: scopeMissingText(access) });
    await policies.key(use);
    return { ...use.actor, scopes: use.scopes };
  };

export const authenticateBy =
  (admit: Admit): Authenticate =>
  (request, reply, route) =>
    admit(bearerToken(request.headers.authorization), {
      from: usedFrom(request.ip, request.headers),
      access: route.access,
      changes: changesTeam(route),
      onUse({ limit, remaining, reset_s }) {
        reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': Math.ceil(reset_s) });
      },
    });

/** The token of `Authorization: Bearer …`. The scheme is case-insensitive (RFC 9110, section 11.1). */
export const bearerToken = (authorization: string | undefined) => /^bearer {1,8}([\w.~+/-]{1,512}=*)$/i.exec(authorization ?? '')?.[1];

/** The origin of a request; `ip` as reported by trusted proxies. */
export const usedFrom = (ip: string, headers: IncomingHttpHeaders): UsedFrom => ({
  ip: plainAddress(ip),
  user_agent: (headers['user-agent'] ?? '').slice(0, 300),
});
