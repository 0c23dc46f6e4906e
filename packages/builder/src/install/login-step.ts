import type { ToolName } from './tools.ts';

// In a step with logins no setting of an archive names a program, and no program of an archive runs unless the package client needs it.

/** Git's settings as variables. Variables override the settings of a folder that an archive disguised as a repository. */
const gitSettings: [name: string, value: string][] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['credential.helper', ''],
];

/** Variables for every step with logins, for all package clients. Without `file` and `ext` no address of a repository names a program. */
export const gitEnv: Record<string, string> = {
  GIT_ALLOW_PROTOCOL: 'https:http:ssh',
  GIT_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new',
  GIT_TEMPLATE_DIR: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: String(gitSettings.length),
  ...Object.fromEntries(
    gitSettings.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

/**
 * Settings that npm would read from files of archives, and of repositories that npm downloads itself: another npm installs the repository
 * of a git dependency and reads its .npmrc. Variables override files, but only if they are not empty.
 */
const npmEnv: Record<string, string> = {
  npm_config_ignore_scripts: 'true',
  npm_config_git: 'git',
  npm_config_script_shell: '/bin/sh',
  npm_config_shell: '/bin/sh',
  npm_config_node_options: '--no-deprecation',
  npm_config_editor: 'true',
};

/** yarn runs the scripts of a git dependency regardless of all settings, so yarn gets no git in a step with logins. */
const noGit = { GIT_ALLOW_PROTOCOL: 'none' };

/** Additional variables, and words to add to the command, for the step that has the machine's logins. */
export function loginStep(manager: ToolName, npmNetwork: Record<string, string>): { env: Record<string, string>; words: string[] } {
  const usual = { ...gitEnv, npm_config_manage_package_manager_versions: 'false' };
  switch (manager) {
    case 'npm':
      return { env: { ...gitEnv, ...npmEnv, ...npmNetwork }, words: ['--ignore-scripts'] };
    case 'pnpm':
      return { env: usual, words: ['--ignore-scripts', '--ignore-pnpmfile'] };
    case 'yarn':
      return { env: { ...usual, ...noGit }, words: ['--ignore-scripts'] };
    case 'yarn-berry':
      return { env: { ...usual, ...noGit, YARN_ENABLE_SCRIPTS: '0' }, words: [] };
    default:
      return { env: usual, words: ['--ignore-scripts'] };
  }
}

/** Git's message when no protocol is allowed. */
export const gitRefused = /transport '[^']{1,20}' not allowed/;
