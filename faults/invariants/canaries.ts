import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';

/** I9 and I10: a secret is in clear only in its agent: not in logs, files, tables, nor in a response to anybody else. */
export async function leakedCanaries(world: World): Promise<string[]> {
  const forms = world.canaries.flatMap((one) => [one, Buffer.from(one).toString('hex'), Buffer.from(one).toString('base64').slice(0, -4)]);
  const holds = (text: string) => forms.some((form) => text.includes(form));
  const leaks: string[] = [];
  for (const file of [world.paddock.log_file, ...filesIn(world.paddock.dataDir)])
    if (holds(contentOf(file))) leaks.push(`I9: a secret stands in ${file}`);
  for (const { table } of await world.sql<{ table: string }[]>`
    select table_name as "table" from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`) {
    const rows = world.sql.unsafe<{ row: string }[]>(`select t::text as row from "${table}" t`).cursor(2000);
    for await (const page of rows) if (page.some(({ row }) => holds(row))) leaks.push(`I9: a secret stands in the table ${table}`);
  }
  const { other, api } = world;
  const answers = {
    theirs: [await other.projects.list({}), await other.deployments.list({})],
    ours: [await api.deployments.list({}), await api.projects.list({})],
  };
  if (holds(JSON.stringify(answers.ours))) leaks.push('I9: a secret stands in an answer');
  if (holds(JSON.stringify(answers.theirs)) || answers.theirs.some((one) => 'projects' in one && one.projects.length > 0))
    leaks.push('I10: somebody else reads what is not theirs');
  return [...new Set(leaks)];
}

const leftOut = /\/(layers|cache|tools|blobs|database|postgres)\/|\/instances\/[^/]+\/(app|home|tmp|tree)\//;

/** All files of the platform, without instances' own files, archives, layers and PostgreSQL's files. */
function filesIn(dataDir: string, folder = dataDir): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (leftOut.test(`${path.slice(dataDir.length)}/`)) return [];
    if (entry.isDirectory()) return filesIn(dataDir, path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // a build has just been finished or abandoned
    throw error;
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''; // removed since it was listed
    throw error;
  }
}
