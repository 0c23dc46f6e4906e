/** The scripts of a project that every client runs when it installs. */
export const lifecycleScripts = ['preinstall', 'install', 'postinstall', 'prepare'];
