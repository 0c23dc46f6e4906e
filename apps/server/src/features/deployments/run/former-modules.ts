/** Modules for windows. They are part of Python, but servers' systems and images omit them. */
const windows = ['tkinter', '_tkinter', 'turtle', 'turtledemo', 'idlelib'];

/**
 * Modules removed from Python's standard library: the last version with the module, and the package that provides it since, if any.
 * Source: 'What's New' of Python 3.12 (PEP 632, asyncore and its kind, imp) and 3.13 (PEP 594).
 */
const former: Record<string, [lastVersion: string, package_name?: string]> = {
  asynchat: ['3.11', 'pyasynchat'],
  asyncore: ['3.11', 'pyasyncore'],
  distutils: ['3.11', 'setuptools'],
  imp: ['3.11'],
  smtpd: ['3.11'],
  audioop: ['3.12', 'audioop-lts'],
  cgi: ['3.12', 'legacy-cgi'],
  cgitb: ['3.12', 'legacy-cgi'],
  crypt: ['3.12', 'legacycrypt'],
  lib2to3: ['3.12'],
  ...Object.fromEntries(
    ['aifc', 'chunk', 'imghdr', 'mailcap', 'nntplib', 'pipes', 'sndhdr', 'sunau', 'telnetlib', 'uu', 'xdrlib'].map(
      (name) => [name, ['3.12', `standard-${name}`]] as const,
    ),
  ),
};

/** Cause and next step for a missing module of Python's standard library; undefined for others. */
export function missingOfPython(module: string): string | undefined {
  const [top = ''] = module.split('.');
  if (windows.includes(top))
    return `The module '${module}' opens windows, which nobody sees on a server, so the Python here comes without it. Import it only where a window is opened, in the function that does, and deploy again.`;
  if (!Object.hasOwn(former, top)) return undefined;
  const [last, name] = former[top]!;
  const also = name === undefined ? '' : `, or add ${name} to the dependencies,`;
  return `The module '${module}' is part of Python up to ${last} only: ask for that version (“${last}” in .python-version)${also} and deploy again.`;
}
