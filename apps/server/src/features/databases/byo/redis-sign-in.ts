import type { Target } from './byo-url.ts';
import { OtherProtocol, type SignInResult, type Wire } from './wire.ts';

const maxLineBytes = 1024;

/** Speaks enough RESP to find out whether the server lets this user in. */
export async function signInToRedis({ socket, read }: Wire, { user, password, database }: Target): Promise<SignInResult> {
  const ask = async (...words: string[]) => {
    socket.write(command(words));
    return answer(await line());
  };
  if (password) {
    const refused = await ask('AUTH', ...(user && user !== 'default' ? [user] : []), password);
    if (refused) return /^(WRONGPASS|NOAUTH|ERR)/.test(refused) ? { is: 'refused_password' } : turnedAway(refused);
  }
  const refused = (database === '0' ? undefined : await ask('SELECT', database)) ?? (await ask('PING'));
  if (!refused || refused.startsWith('NOPERM')) return { is: 'reachable' };
  if (refused.startsWith('NOAUTH')) return { is: 'refused_password' };
  return refused.startsWith('ERR DB index') ? { is: 'no_database' } : turnedAway(refused);

  async function line(): Promise<string> {
    let text = '';
    while (text.length < maxLineBytes) {
      text += (await read(1)).toString('latin1');
      if (text.endsWith('\r\n')) return text.slice(0, -2);
    }
    throw new OtherProtocol();
  }
}

/** Prefixes each word with its length, so that no part of a word can be taken for the next command. */
const command = (words: string[]) => `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/** The server's error; undefined when the command succeeded. */
function answer(line: string): string | undefined {
  if (line.startsWith('+')) return undefined;
  if (line.startsWith('-')) return line.slice(1);
  throw new OtherProtocol();
}

const turnedAway = (refused: string): SignInResult => ({ is: 'turned_away', code: /^[A-Z]{2,20}/.exec(refused)?.[0] ?? 'an error' });
