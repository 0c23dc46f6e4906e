/** Files that hold credentials whatever is in them. A path may end in them. */
const names =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pypirc|\.git-credentials|\.htpasswd|\.aws\/credentials|\.kube\/config|\.docker\/config\.json|\.streamlit\/secrets\.toml|(?:client_secret|service[-_]?account)[^/]*\.json|(?:google[-_])?credentials\.json|[^/]+\.(?:p12|pfx|kdbx|keystore|jks|ppk))$/i;
/** Files that hold a key or only certificates: their text tells. */
const keyNames = /\.(?:pem|key)$/i;
const privateKey = '-----BEGIN ';
const privateKeyEnd = 'PRIVATE KEY-----';

/** Whether a file looks like a secret by its path. `read` gives the text of a file whose name alone does not tell. */
export function looksSecret(path: string, read: () => string | null): boolean {
  if (names.test(path)) return true;
  if (!keyNames.test(path)) return false;
  const text = read() ?? '';
  return text.includes(privateKey) && text.includes(privateKeyEnd);
}
