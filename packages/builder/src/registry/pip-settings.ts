/** Settings of pip that affect the source of packages. */
export interface PipSettings {
  indexUrl?: string;
  extraIndexUrls: string[];
  trustedHosts: string[];
  findLinks: string[];
  cert?: string;
  proxy?: string;
  noIndex: boolean;
}

/** Reads pip.conf files (later files override) and PIP_* variables, which override the files. */
export function readPipSettings(files: string[], env: Record<string, string | undefined>): PipSettings {
  const values = new Map<string, string>();
  for (const source of files) for (const [key, value] of readIni(source)) values.set(key, value);
  for (const [name, value] of Object.entries(env)) {
    const key = /^PIP_([A-Z_]+)$/.exec(name)?.[1];
    if (key !== undefined && value !== undefined && value !== '') values.set(key.toLowerCase().replaceAll('_', '-'), value);
  }
  const list = (key: string) => (values.get(key) ?? '').split(/\s+/).filter((v) => v !== '');
  const one = (key: string) => values.get(key)?.trim();
  const found = { indexUrl: one('index-url'), cert: one('cert'), proxy: one('proxy') };
  return {
    ...Object.fromEntries(Object.entries(found).filter(([, v]) => v !== undefined)),
    extraIndexUrls: list('extra-index-url'),
    trustedHosts: list('trusted-host'),
    findLinks: list('find-links'),
    noIndex: ['1', 'true', 'yes', 'on'].includes(one('no-index')?.toLowerCase() ?? ''),
  };
}

// [global] and [install] apply to an install. Indented lines continue the value before them.
function readIni(source: string): Map<string, string> {
  const sections: Record<string, Map<string, string>> = {};
  let section: Map<string, string> = new Map();
  let last = '';
  for (const line of source.split(/\r?\n/)) {
    const text = line.trim();
    const between = text.search(/[=:]/);
    const key = line.slice(0, Math.max(0, between)).trimEnd();
    if (text.startsWith('[') && text.endsWith(']')) {
      const head = text.slice(1, -1);
      sections[head] = section = sections[head] ?? new Map<string, string>();
    } else if (text === '' || text.startsWith('#') || text.startsWith(';')) continue;
    else if (/^[A-Za-z_][\w-]*$/.test(key)) section.set((last = key.replaceAll('_', '-')), text.slice(between + 1).trimStart());
    else if (text !== line.trimEnd() && last !== '') section.set(last, `${section.get(last) ?? ''} ${text}`);
  }
  return new Map([...(sections.global ?? []), ...(sections.install ?? [])]);
}
