import type { Socket } from 'node:net';

// Types shared by connecting to an external database and signing in there.

/** The result of a check. `refused_password` covers unknown users too: servers do not distinguish them. */
export type SignInResult =
  | { is: 'reachable'; version?: string }
  | { is: 'silent' | 'refused_password' | 'no_tls' | 'no_database' | 'other_protocol' }
  | { is: 'bad_certificate'; code: string }
  | { is: 'turned_away'; code: string };

/**
 * Reads exactly this many bytes; throws when the connection ends before. At most 64 KiB are buffered unread, the rest stays with the
 * sender.
 */
export type ReadBytes = (bytes: number) => Promise<Buffer>;
export interface Wire {
  socket: Socket;
  read: ReadBytes;
}

/** The server speaks another protocol, or sends more than the limit. */
export class OtherProtocol extends Error {}
