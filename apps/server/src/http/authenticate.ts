import { ApiError, type Route } from '@paddock/contract';
import type { FastifyRequest } from 'fastify';

/** Who is calling, and for which team: a person who is signed in, or a program with an API key of that person. */
export interface Actor {
  user_id: string;
  team_id: string;
  session_id: string | null;
  key_id: string | null;
  name: string;
  email: string;
}
/** The caller of what an API key may not do. */
export interface Person extends Actor {
  session_id: string;
}

export type Authenticate = (request: FastifyRequest, access: Route['access']) => Promise<Actor>;
/** Where a session is used from. */
export interface UsedFrom {
  ip: string;
  user_agent: string;
}
/** Finds a live session by its token and notes where it is used; undefined for anything else. */
export type FindSession = (token: string, from?: UsedFrom) => Promise<Person | undefined>;

// The console's demo mode never talks to a server; such a token here is a mistake.
const demoPrefix = 'demo-token-';

export const authenticateBy =
  (findSession: FindSession): Authenticate =>
  async (request) => {
    const token = bearerToken(request.headers.authorization);
    const actor = token && !token.startsWith(demoPrefix) ? await findSession(token, usedFrom(request)) : undefined;
    if (!actor) throw new ApiError('not_signed_in');
    return actor; // a session may do all that the contract lists; scopes bind API keys alone
  };

export const bearerToken = (authorization: string | undefined) => /^Bearer ([\w.~+/-]{1,512}=*)$/.exec(authorization ?? '')?.[1];

const usedFrom = ({ ip, headers }: FastifyRequest): UsedFrom => ({ ip, user_agent: (headers['user-agent'] ?? '').slice(0, 300) });
