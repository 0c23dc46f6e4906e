// Settings that an archive may make for a package client in the step that has the machine's logins. These are lists of allowed names:
// no allowed setting names a program, a file, a proxy, a certificate or another folder of the machine.

/** The allowed part of a structured file: any value, addresses without a login, or the values of these keys. */
export type Shape = 'any' | 'address' | { [key: string]: Shape };

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Settings of npm and pnpm in an .npmrc. */
export const npmNames = new Set(
  words(`
    access audit audit-level auto-install-peers before child-concurrency color cpu dedupe-direct-deps dedupe-injected-deps
    dedupe-peer-dependents depth dev disallow-workspace-cycles enable-pre-post-scripts engine-strict extend-node-path fetch-retries
    fetch-retry-factor fetch-retry-maxtimeout fetch-retry-mintimeout fetch-timeout force format-package-lock frozen-lockfile fund
    git-checks git-tag-version global-style hoist hoist-pattern hoist-workspace-packages ignore-dep-scripts ignore-scripts
    ignore-workspace-cycles ignore-workspace-root-check ignored-built-dependencies include include-workspace-root
    inject-workspace-packages install-links install-strategy legacy-bundling legacy-peer-deps libc link-workspace-packages lockfile
    lockfile-include-tarball-url lockfile-version loglevel maxsockets message minimum-release-age modules-cache-max-age
    network-concurrency never-built-dependencies node-linker omit only only-built-dependencies optional os package-import-method
    package-lock package-manager-strict package-manager-strict-version peers-suffix-max-length prefer-dedupe prefer-frozen-lockfile
    prefer-offline prefer-online prefer-symlinked-executables prefer-workspace-packages production progress provenance
    public-hoist-pattern recursive-install resolution-mode resolve-peers-from-workspace-root save save-exact save-prefix save-prod
    save-workspace-protocol shamefully-hoist shared-workspace-lockfile side-effects-cache sign-git-tag strict-dep-builds
    strict-peer-dependencies strict-peer-deps symlink sync-injected-deps-after-scripts tag tag-version-prefix unicode unsafe-perm
    update-notifier virtual-store-dir-max-length workspaces workspaces-update`),
);

/** A login that the archive contains for a registry of its own. */
export const npmLogin = /^\/\/[\w.:/~-]+\/:(_authToken|_auth|username|_password|email|always-auth)$/;
export const npmRegistry = /^(@[\w.~-]+:)?registry$/;

/** Settings of yarn 1. */
export const yarnNames = new Set(
  words(`
    child-concurrency disable-self-update-check email ignore-engines ignore-optional ignore-platform lastUpdateCheck network-concurrency
    network-timeout save-exact save-prefix strict-semver unsafe-disable-integrity-migration username version-commit-hooks
    version-git-message version-git-sign version-git-tag version-sign-git-tag version-tag-prefix workspaces-experimental
    --install.check-files --install.flat --install.frozen-lockfile --install.ignore-engines --install.ignore-optional
    --install.ignore-platform --install.network-concurrency --install.network-timeout --install.non-interactive
    --install.prefer-offline --install.production --install.pure-lockfile --install.silent --install.no-progress
    --ignore-engines --ignore-optional --ignore-platform --network-concurrency --network-timeout --prefer-offline --pure-lockfile`),
);

const anyOf = (names: string) => Object.fromEntries(words(names).map((name): [string, Shape] => [name, 'any']));
const berryRegistry: Shape = { ...anyOf('npmAlwaysAuth npmAuthIdent npmAuthToken'), npmRegistryServer: 'address' };

/** Settings of yarn 2 and later. */
export const berryShape: Shape = {
  ...anyOf(`
    approvedGitRepositories catalog catalogs changesetBaseRefs changesetIgnorePatterns checksumBehavior compressionLevel
    defaultSemverRangePrefix dependenciesMeta enableColors enableConstraintsChecks enableGlobalCache enableHardenedMode
    enableImmutableCache enableImmutableInstalls enableInlineBuilds enableInlineHunks enableMessageNames enableMirror enableNetwork
    enableOfflineMode enableProgressBars enableScripts enableStrictSettings enableTelemetry enableTimers enableTransparentWorkspaces
    httpRetry httpTimeout immutablePatterns initFields initScope injectEnvironmentFiles installStateless lockfileFilename logFilters
    networkConcurrency nmHoistingLimits nmMode nmSelfReferences nodeLinker npmMinimalAgeGate npmPreapprovedPackages
    packageExtensions pnpEnableEsmLoader pnpEnableInlining pnpFallbackMode pnpIgnorePatterns pnpMode preferAggregateCacheInfo
    preferDeferredVersions preferInteractive preferReuse preferTruncatedLines progressBarStyle supportedArchitectures
    taskPoolConcurrency taskPoolMode telemetryInterval tsEnableAutoTypes winLinkType workerPoolMode`),
  npmRegistryServer: 'address',
  npmScopes: { '*': berryRegistry },
  npmRegistries: { '*': berryRegistry },
};

const camelCase = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Settings of pnpm-workspace.yaml: since pnpm 10 also the settings of an .npmrc. */
export const pnpmShape: Shape = {
  ...Object.fromEntries([...npmNames].map((name): [string, Shape] => [camelCase(name), 'any'])),
  ...anyOf(`
    allowBuilds allowUnusedPatches allowedDeprecatedVersions auditConfig catalog catalogMode catalogs cleanupUnusedCatalogs
    dangerouslyAllowAllBuilds ignorePatchFailures ignoredOptionalDependencies minimumReleaseAgeExclude overrides packageExtensions
    packages patchedDependencies peerDependencyRules requiredScripts supportedArchitectures trustPolicy trustPolicyExclude
    updateConfig`),
  registry: 'address',
  registries: { '*': 'address' },
};

/** Settings of bunfig.toml. */
export const bunShape: Shape = {
  ...anyOf('logLevel telemetry smol'),
  install: {
    ...anyOf(`
      auto dev dryRun exact frozenLockfile hoistPattern linkWorkspacePackages linker minimumReleaseAge minimumReleaseAgeExcludes
      optional peer prefer production publicHoistPattern saveTextLockfile`),
    lockfile: anyOf('save'),
    registry: 'address',
    scopes: { '*': 'address' },
  },
};

const uvNames = anyOf(`
  build-constraint-dependencies conflicts constraint-dependencies default-groups dependency-groups dependency-metadata
  dev-dependencies environments exclude-dependencies exclude-newer exclude-newer-package extra-build-dependencies
  extra-build-variables fork-strategy index-strategy link-mode managed no-binary no-binary-package no-build no-build-isolation
  no-build-isolation-package no-build-package no-index no-sources override-dependencies package prerelease reinstall
  required-environments required-version resolution sources upgrade workspace build-backend concurrent-builds concurrent-downloads
  concurrent-installs compile-bytecode config-settings config-settings-package torch-backend`);

/** Settings of uv: in uv.toml, and below `tool.uv` of pyproject.toml. */
export const uvShape: Shape = {
  ...uvNames,
  'default-index': 'address',
  'extra-index-url': 'address',
  'find-links': 'any',
  index: { '*': { ...anyOf('name explicit default format ignore-error-codes cache-control exclude-newer'), url: 'address' } },
  'index-url': 'address',
  pip: {
    ...uvNames,
    ...anyOf('extra all-extras no-deps generate-hashes no-strip-extras universal require-hashes verify-hashes find-links group'),
    'extra-index-url': 'address',
    'index-url': 'address',
  },
};
