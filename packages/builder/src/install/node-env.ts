import { cacheEnv } from './cache.ts';
import type { Tool } from './tool.ts';
import { hasGraphicsProcessor } from './torch.ts';

/** The prefix in which npx finds the manager of the project, instead of downloading the newest one. */
const findPrefix = (manager: Tool | null) => {
  const name = /^\/opt\/paddock\/(pnpm|yarn)\//.exec(manager?.path ?? '')?.[1];
  return name === undefined ? {} : { npm_config_prefix: `/opt/paddock/launchers/managers/${name}` };
};

/** The environment of every step that has Node, and of its package manager if there is one. */
export function nodeEnv(node: Tool, manager: Tool | null): Record<string, string> {
  const { npm_config_store_dir, ...caches } = cacheEnv;
  return {
    ...caches,
    PATH: `${manager === null ? '' : `${manager.path}:`}${node.path}:/usr/local/bin:/usr/bin:/bin:/opt/paddock/launchers/git-hooks`,
    CI: 'true',
    // npm warns on every call about settings that it doesn't know.
    ...(manager?.path.includes('/pnpm/') ? { NPM_CONFIG_STORE_DIR: npm_config_store_dir } : {}),
    ...findPrefix(manager),
    // Git hooks are only useful in a checkout.
    HUSKY: '0',
    LEFTHOOK: '0',
    SKIP_INSTALL_SIMPLE_GIT_HOOKS: '1',
    npm_config_update_notifier: 'false',
    // Builds send no telemetry. Without a network the attempt would only take time.
    DO_NOT_TRACK: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    // A failed step is retried as a whole, so npm does not need its own pauses of a minute between retries.
    npm_config_fetch_retries: '1',
    npm_config_fetch_retry_mintimeout: '2000',
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
    // Its install script fetches the libraries of CUDA otherwise, hundreds of megabytes that nothing here could use.
    ...(hasGraphicsProcessor() ? {} : { ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip' }),
    YARN_IGNORE_PATH: '1',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    // In CI yarn refuses to create a missing lock file. For an existing lock file the command has --immutable.
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_GLOBAL_CACHE: '1',
  };
}
