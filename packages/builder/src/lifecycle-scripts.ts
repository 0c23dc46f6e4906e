/** The scripts of a project that every client runs on install. */
export const lifecycleScripts = ['preinstall', 'install', 'postinstall', 'prepare'];
