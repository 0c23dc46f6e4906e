/** What pip's configuration says about where packages come from. */
export interface PipSettings {
  indexUrl?: string;
  extraIndexUrls: string[];
  trustedHosts: string[];
  findLinks: string[];
  cert?: string;
  proxy?: string;
  noIndex: boolean;
}

/** Reads pip.conf files (later ones win) and PIP_* variables over them. */
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

// [global] and [install] count for an install; indented lines continue the value before them.
function readIni(source: string): Map<string, string> {
  const sections: Record<string, Map<string, string>> = {};
  let section: Map<string, string> = new Map();
  let last = '';
  for (const line of source.split(/\r?\n/)) {
    const head = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    const pair = /^([A-Za-z_][\w-]*)\s*[=:]\s*(.*)$/.exec(line);
    if (head !== undefined) sections[head] = section = sections[head] ?? new Map<string, string>();
    else if (/^\s*[#;]/.test(line)) continue;
    else if (pair?.[1] !== undefined) section.set((last = pair[1].replaceAll('_', '-')), pair[2] ?? '');
    else if (/^\s+\S/.test(line) && last !== '') section.set(last, `${section.get(last) ?? ''} ${line.trim()}`);
  }
  return new Map([...(sections.global ?? []), ...(sections.install ?? [])]);
}
