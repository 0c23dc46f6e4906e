import type { Socket } from 'node:net';
import { startRawAgent } from './fixture.ts';

/**
 * An agent that reads no body: it parses the bytes after a head as its next request, and ignores `Connection: close`. It answers each request with
 * its path and cookie. The response to a request inside a body is sent when the next request arrives on the connection, so that the outcome does not
 * depend on which of them is faster.
 */
export async function startCarelessAgent(answerOf = plainAnswer) {
  /** The paths that were requested, by connection. */
  const connections: string[][] = [];
  const agent = await startRawAgent((socket) => {
    const paths: string[] = [];
    connections.push(paths);
    serve(socket, paths, answerOf);
  });
  return { ...agent, connections };
}

export interface CarelessAnswer {
  /** Sent at once. */
  text: string;
  /** Sent when the next request arrives on the connection. */
  late?: string;
}

function serve(socket: Socket, paths: string[], answerOf: (head: string) => CarelessAnswer) {
  let unread = '';
  let late = '';
  socket.on('data', (piece: Buffer) => {
    unread += piece.toString('latin1');
    let isFirst = true;
    for (let end = unread.indexOf('\r\n\r\n'); end >= 0; end = unread.indexOf('\r\n\r\n')) {
      const head = unread.slice(0, end);
      unread = unread.slice(end + 4);
      paths.push(pathOf(head));
      const answer = answerOf(head);
      // The gateway sent the first request of a piece; the others came inside its body.
      if (isFirst) socket.write(late + answer.text);
      late = isFirst ? (answer.late ?? '') : late + answer.text;
      isFirst = false;
    }
  });
}

export function plainAnswer(head: string): CarelessAnswer {
  const body = `${pathOf(head)} ${/^cookie: (.*)$/im.exec(head)?.[1] ?? ''}`;
  return { text: `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${head.startsWith('HEAD ') ? '' : body}` };
}

export const pathOf = (head: string) => head.split(' ')[1] ?? '';
