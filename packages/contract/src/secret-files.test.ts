import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksSecret } from './secret-files.ts';

const key = '-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\n';
const certificate = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n';

test('keys and files of credentials look like secrets, wherever they lie', () => {
  for (const path of [
    'id_ed25519',
    '.ssh/id_rsa',
    'agent/service-account-prod.json',
    'client_secret_1.apps.json',
    'credentials.json',
    'google-credentials.json',
    '.streamlit/secrets.toml',
    '.aws/credentials',
    'certs/store.P12',
    '.netrc',
  ])
    assert.equal(
      looksSecret(path, () => null),
      true,
      path,
    );
  assert.equal(
    looksSecret('tls/server.key', () => key),
    true,
  );
  assert.equal(
    looksSecret('server.pem', () => key),
    true,
  );
});

test('public keys, certificates and files with a similar name do not', () => {
  for (const path of ['id_rsa.pub', 'credentials.py', 'my-credentials.json', 'secrets.toml.example', 'key.ts', 'service.json'])
    assert.equal(
      looksSecret(path, () => key),
      false,
      path,
    );
  assert.equal(
    looksSecret('ca.pem', () => certificate),
    false,
  );
  assert.equal(
    looksSecret('words.key', () => null),
    false,
  );
});
