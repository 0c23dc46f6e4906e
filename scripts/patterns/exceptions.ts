// Patterns that the checker cannot read from the source, or cannot decide. Each has a reason why it is harmless.

export type Exception = {
  path: string;
  /** The text in the file. */
  text: string;
  /** The shape of a pattern that is made at run time, which the checker judges in its place. */
  judgedAs?: string;
  reason: string;
};

export const EXCEPTIONS: Exception[] = [
  {
    path: 'apps/server/src/http/methods.ts',
    text: "new RegExp(`^${url.replace(/[.*+?^${}()|[\\]\\\\]/g, '\\\\$&').replace(/:\\w+/g, '[^/]+')}$`)",
    judgedAs: '^/api/v1/databases/[^/]+/backups/[^/]+/restore$',
    reason: 'It is made of the addresses of the contract, of which this is the longest kind.',
  },
  {
    path: 'apps/server/src/features/governance/compliance/controls/key-03-key-hashes.ts',
    text: "regexp_matches((to_jsonb(s) - 'token_hash')::text, $",
    judgedAs: 'pk_(?:live|test)_[0-9A-Za-z]{42}',
    reason: 'It is a constant of the same file.',
  },
  ...["new RegExp(source, 'g')", 'new RegExp(source)'].map((text) => ({
    path: 'apps/server/src/protection/agent-secrets/blanking.ts',
    text,
    judgedAs: 'dep_[\\da-f-]{36}\\.[\\w-]{43}|s(?:ecret-1|k-(?:one|two)?)|(?:postgres|rediss?):\\/\\/[^\\s@\\/]{1,300}@',
    reason: 'It is a constant, and texts of at most 64 characters with everything special in them escaped, which share their beginnings.',
  })),
  ...[
    { path: 'apps/server/src/subjects/needles.ts', text: "new RegExp(pattern, 'giu')" },
    { path: 'apps/server/src/features/logs/subject-store.ts', text: 'regexp_replace(message, $' },
    { path: 'apps/server/src/features/traces/subject-store.ts', text: 'regexp_replace(name, $' },
  ].map((place) => ({
    ...place,
    judgedAs: 'ada\\.king@example\\.com|\\+1 212-555-0100',
    reason: 'It is up to five texts with everything special in them escaped, one or the other.',
  })),
  {
    path: 'apps/server/src/subjects/tokens-store.ts',
    text: 'regexp_matches($',
    judgedAs: '\\[[a-z_]+:[a-z2-9]{8}\\]',
    reason: 'The column is a name from the source; the pattern beside it is a constant.',
  },
  {
    path: 'packages/contract/src/logs.ts',
    text: 'new RegExp(`^(${levelWords})(,(${levelWords})){0,3}$`)',
    judgedAs: '^(debug|info|warning|error)(,(debug|info|warning|error)){0,3}$',
    reason: 'It is made of the names of levels.',
  },
  {
    path: 'packages/builder/src/launchers/unfetched/run_script.mjs',
    text: "new RegExp(pattern, 'i')",
    judgedAs: 'ENOTFOUND|Could not resolve host|status code:? 5\\d\\d|tunneling socket could not be established',
    reason:
      'It is all patterns of install/reasons/network.ts, each of which is judged there, and runs in the sandbox on 12,000 characters.',
  },
];
