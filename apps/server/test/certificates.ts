import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './postgres.ts';

/** A self-signed certificate for `localhost`, valid for that many days, and the path of its file. */
export function selfSigned(days = 90): { key: string; cert: string; cert_file: string } {
  const home = mkdtempSync(join(tmpdir(), 'paddock-tls-'));
  atEnd(async () => rmSync(home, { recursive: true, force: true }));
  const [key_file, cert_file] = [join(home, 'key.pem'), join(home, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost'];
  execFileSync(
    'openssl',
    [...made, '-addext', 'subjectAltName=DNS:localhost', '-days', `${days}`, '-keyout', key_file, '-out', cert_file],
    {
      stdio: 'ignore',
    },
  );
  return { key: readFileSync(key_file, 'utf8'), cert: readFileSync(cert_file, 'utf8'), cert_file };
}
