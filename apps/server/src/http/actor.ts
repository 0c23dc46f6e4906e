import type { Scope } from '@paddock/contract';

/** Who is calling, and for which team: a person who is signed in, or a program with an API key of that person. */
export interface Actor {
  user_id: string;
  team_id: string;
  session_id: string | null;
  key_id: string | null;
  /** Of the API key; `name` is that of the person. */
  key_name: string | null;
  /** Of the API key; a session may do all that the contract lists. */
  scopes?: readonly Scope[];
  name: string;
  email: string;
}
