import type { Scope } from '@paddock/contract';

/** The caller and its team: a signed-in person, or a program with an API key of that person. */
export interface Actor {
  user_id: string;
  team_id: string;
  session_id: string | null;
  key_id: string | null;
  /** Name of the API key; `name` is the person's. */
  key_name: string | null;
  /** Scopes of the API key; a session has all scopes of the contract. */
  scopes?: readonly Scope[];
  name: string;
  email: string;
}
