/** Google's libraries read this file: https://cloud.google.com/docs/authentication/application-default-credentials. */
const NAME = 'GOOGLE_APPLICATION_CREDENTIALS';

/** No value becomes text of the shell: it takes the JSON from the environment and the command from its arguments. */
const script = [
  'umask 077',
  'folder=$(mktemp -d)',
  `printf %s "$${NAME}" > "$folder/google.json"`,
  `${NAME}="$folder/google.json" exec "$@"`,
].join(' && ');

/**
 * The command that puts the JSON of a Google credential into a private file before it starts the agent, since only the path of a file can be
 * the value of that variable. Commands of agents whose variable has a path or is not set are unchanged.
 */
export function withCredentialFile(command: string[], env: Record<string, string>): string[] {
  return env[NAME]?.trimStart().startsWith('{') === true ? ['/bin/sh', '-c', script, 'sh', ...command] : command;
}
