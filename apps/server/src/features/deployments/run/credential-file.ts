/**
 * Variables that can have only the path of a file as their value: the one of Google's libraries
 * (https://cloud.google.com/docs/authentication/application-default-credentials), and those that a name shows as such.
 */
export const isCredentialFile = (name: string) =>
  name === 'GOOGLE_APPLICATION_CREDENTIALS' ||
  /(?:^|_)(?:CREDENTIALS?|CREDS|SERVICE_ACCOUNT|KEY|TOKEN|SECRETS?|CERT(?:IFICATE)?)(?:_JSON)?_(?:PATH|FILE|FILE_?PATH|LOCATION)$/.test(
    name,
  );

/** A credential itself in place of a path: JSON, or a key or certificate as text. */
const fileName = (name: string, value: string): string | undefined => {
  const text = value.trimStart();
  if (text.startsWith('{')) return `${name}.json`;
  return text.startsWith('-----BEGIN ') ? `${name}.pem` : undefined;
};

/** No value becomes text of the shell: it takes each from the environment, and names and the command from its arguments. */
const script = [
  'umask 077',
  'folder=$(mktemp -d) || exit 1',
  'while [ "$1" != -- ]; do printenv "$1" > "$folder/$2" || exit 1; export "$1=$folder/$2"; shift 2; done',
  'shift',
  'exec "$@"',
].join('; ');

/**
 * The command that puts credentials which are values of variables for paths into private files before it starts the agent. Commands of
 * agents without such a variable are unchanged.
 */
export function withCredentialFiles(command: string[], env: Record<string, string>): string[] {
  const files = Object.entries(env).flatMap(([name, value]) => {
    const file = isCredentialFile(name) ? fileName(name, value) : undefined;
    return file === undefined ? [] : [name, file];
  });
  return files.length > 0 ? ['/bin/sh', '-c', script, 'sh', ...files, '--', ...command] : command;
}
