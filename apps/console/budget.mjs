// Measures the built console against its budgets, in gzipped kB, and fails when one is exceeded. Run after `vite build`.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, 'dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const kB = (files) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0) / 1000;

/** The scripts that a module needs before it runs. */
const withImports = (name, into = new Set()) => {
  const { file, imports = [] } = manifest[name];
  if (into.has(file)) return into;
  into.add(file);
  for (const each of imports) withImports(each, into);
  return into;
};

const entryName = Object.keys(manifest).find((name) => manifest[name].isEntry);
const entry = withImports(entryName);
const shell = new Set([...entry, ...withImports('src/app/shell/Shell.tsx')]);
const assets = readdirSync(join(dist, 'assets')).map((file) => `assets/${file}`);
const ending = (end) => assets.filter((file) => file.endsWith(end));
const fontBytes = ending('.woff2').reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);

const rows = [
  ['entry', kB(entry), 125],
  ['CSS', kB(ending('.css')), 20],
  ['fonts', fontBytes / 1000, 60],
  ['all JavaScript', kB(ending('.js')), 600],
];
for (const name of Object.keys(manifest).filter((each) => /(Page|Route)\.tsx$/.test(each))) {
  const base = /accounts\/|app\/(?:Login|Signup)Route/.test(name) ? entry : shell;
  rows.push([
    name.replace(/^.*\//, '').replace('.tsx', ''),
    kB([...withImports(name)].filter((file) => !base.has(file))),
    /MetricsPage/.test(name) ? 40 : 60,
  ]);
}
rows.push(['shell', kB([...shell].filter((file) => !entry.has(file))), 60]);
rows.push(['API client', kB([...withImports('src/api/server-api.ts')].filter((file) => !entry.has(file))), 60]);

for (const [name, size, limit] of rows)
  console.log(`${size <= limit ? 'ok      ' : 'EXCEEDED'} ${name.padEnd(18)} ${size.toFixed(1).padStart(6)} of ${limit} kB`);
if (rows.some(([, size, limit]) => size > limit)) process.exit(1);
