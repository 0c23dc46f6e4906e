import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

/** PostgreSQL's default, and the minimum that RFC 7677 allows. */
const ITERATIONS = 4096;

/**
 * A password in PostgreSQL's stored form (RFC 5802, RFC 7677), for ALTER ROLE … PASSWORD, so that the statement contains nothing that gives
 * access to the database. The password must be ASCII, which SASLprep leaves unchanged.
 */
export async function scramVerifier(password: string, salt: Buffer = randomBytes(16), iterations = ITERATIONS): Promise<string> {
  if (!/^[\x21-\x7e]+$/.test(password)) throw new Error('A password of a database consists of visible ASCII characters.');
  const salted = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256');
  const stored = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const server = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
