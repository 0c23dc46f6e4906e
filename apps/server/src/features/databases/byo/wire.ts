import type { Socket } from 'node:net';

// What connecting to a database somebody brought along and signing in there have in common.

/** What came of trying a database. `refused_password` is said of the user too: servers do not tell them apart. */
export type SignInResult =
  | { is: 'reachable'; version?: string }
  | { is: 'silent' | 'refused_password' | 'no_tls' | 'no_database' | 'other_protocol' }
  | { is: 'bad_certificate'; code: string }
  | { is: 'turned_away'; code: string };

/** Reads exactly so many bytes; throws when the connection ends before. At most 64 KiB wait unread, the rest stays with its sender. */
export type ReadBytes = (bytes: number) => Promise<Buffer>;
export interface Wire {
  socket: Socket;
  read: ReadBytes;
}

/** The server speaks something else, or says more than anybody reads. */
export class OtherProtocol extends Error {}
