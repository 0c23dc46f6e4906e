/**
 * Names added to modules of Python's standard library: the first version with the name. Source: 'What's New' of Python 3.11 to 3.13 and the
 * notes 'Added in version' of the modules' pages.
 */
const newer: Record<string, Record<string, string>> = {
  typing: {
    ...Object.fromEntries(
      [
        'Self',
        'LiteralString',
        'Never',
        'NotRequired',
        'Required',
        'Unpack',
        'TypeVarTuple',
        'assert_never',
        'assert_type',
        'reveal_type',
      ].map((name) => [name, '3.11'] as const),
    ),
    dataclass_transform: '3.11',
    override: '3.12',
    TypeAliasType: '3.12',
    ReadOnly: '3.13',
    TypeIs: '3.13',
    NoDefault: '3.13',
  },
  datetime: { UTC: '3.11' },
  enum: { StrEnum: '3.11', ReprEnum: '3.11', EnumType: '3.11', verify: '3.11', member: '3.11', nonmember: '3.11' },
  asyncio: { TaskGroup: '3.11', Runner: '3.11', timeout: '3.11', Barrier: '3.11', QueueShutDown: '3.13' },
  itertools: { batched: '3.12' },
  'collections.abc': { Buffer: '3.12' },
  warnings: { deprecated: '3.13' },
};

const askFor = (version: string) =>
  `ask for ${version} or newer (“${version}” in .python-version, or “python” in paddock.yaml) and deploy again.`;

/** Cause and next step for source that was written for a newer Python, by an agent's last lines; undefined for others. */
export function needsNewerPython(text: string): string | undefined {
  const [, name = '', module = ''] = /^ImportError: cannot import name '(\w{1,60})' from '([\w.]{1,60})'/m.exec(text) ?? [];
  const since = Object.hasOwn(newer, module) && Object.hasOwn(newer[module] ?? {}, name) ? newer[module]?.[name] : undefined;
  if (since !== undefined) return `It imports ${name} from ${module}, which Python has since ${since}: ${askFor(since)}`;
  if (/^ModuleNotFoundError: No module named 'tomllib'/m.test(text))
    return `The module 'tomllib' is part of Python since 3.11: ${askFor('3.11')}`;
  // Python 3.12 reads all of these (PEP 701).
  if (/^SyntaxError: f-string(?:: unmatched '[([]'| expression part cannot include (?:a backslash|'#'))/m.test(text))
    return `It has f-strings as Python reads them since 3.12 (the same quotes, backslashes or comments within): ${askFor('3.12')}`;
  return undefined;
}
