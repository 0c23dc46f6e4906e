import postgres from 'postgres';

/**
 * Creates a database on the server of `url`, unless it exists, and returns its URL.
 * With `template` it starts as a copy of that database, which must have no connections.
 */
export async function createDatabase(url: string, name: string, options: { template?: string } = {}): Promise<string> {
  const address = new URL(url);
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const sql = postgres(admin.href, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await sql`CREATE DATABASE ${sql(name)} ${options.template ? sql`TEMPLATE ${sql(options.template)}` : sql``}`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && error.code === '42P04')) throw error; // 42P04: it exists
  } finally {
    await sql.end({ timeout: 5 });
  }
  address.pathname = `/${name}`;
  return address.href;
}
