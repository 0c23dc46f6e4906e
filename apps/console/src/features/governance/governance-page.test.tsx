import type { AuditLog } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../api/api.ts';
import { endSession, startSession } from '../../api/session.ts';
import { Console } from '../../app/Console.tsx';
import { consoleQueries } from '../../app/query-client.ts';
import { consoleRouter } from '../../app/router.tsx';
import { demoApi } from '../../demo/demo-api.ts';
import { createDemoWorld } from '../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
let world = createDemoWorld();
/** Spies on the calls for governance; a test may override a response. */
let governance = demoApi(world).governance;
const saved: { name: string; text: Promise<string> }[] = [];

beforeEach(() => {
  world = createDemoWorld();
  const api = demoApi(world);
  governance = { ...api.governance };
  for (const name of Object.keys(governance)) vi.spyOn(governance, name as keyof typeof governance);
  offerDemo(() => Promise.resolve({ ...api, governance }));
  startSession({ token: 'demo-token-test', user }, false);
  saved.length = 0;
  let last = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    last = given as Blob;
    return 'blob:kept';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function kept(this: HTMLAnchorElement) {
    if (this.download) saved.push({ name: this.download, text: last.text() });
  });
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/governance') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { search: () => decodeURIComponent(router.state.location.searchStr), back: () => router.history.back() };
}
const table = page.getByRole('table', { name: 'Audit logs' });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const lastFilter = () => vi.mocked(governance.auditLogs).mock.lastCall?.[0];

test('filters go to the address and to the server, each has a chip, and Clear Filters takes all of them away', async () => {
  const { search } = await open();
  await expect.element(page.getByText('100 records')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('CHAT');
  await page.getByRole('combobox', { name: 'Action type' }).selectOptions('Error');
  await page.getByRole('combobox', { name: 'Agent' }).selectOptions('nightly-eval');
  await expect.element(button('Clear search')).toBeVisible();
  expect(search()).toMatch(/^\?(?=.*q=CHAT)(?=.*type=error)(?=.*agent=prj_)/);
  expect(lastFilter()).toMatchObject({
    search: 'CHAT',
    action_type: 'error',
    agent: world.projects.find(({ name }) => name === 'nightly-eval')?.id,
  });
  await button('Clear agent').click();
  expect(search()).not.toContain('agent=');
  await button('Clear Filters').click();
  expect(search()).toBe('');
  await expect.element(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  await expect.element(page.getByText('100 records')).toBeVisible();
});

test('the first 50 records are shown and more on request', async () => {
  await open();
  await expect.element(page.getByText('50 shown, more available')).toBeVisible();
  expect(table.getByRole('row').elements()).toHaveLength(51);
  await button('Load more').click();
  await expect.poll(() => table.getByRole('row').elements().length).toBe(101);
  expect(button('Load more').query()).toBeNull();
});

test('Refresh brings what is new, also where several pages were open', async () => {
  await open();
  await button('Load more').click();
  await expect.poll(() => table.getByRole('row').elements().length).toBe(101);
  const { logs } = await governance.auditLogs({ limit: 1 });
  const before = governance.auditLogs;
  governance.auditLogs = async (given, options) => {
    const page = await before(given, options);
    return { ...page, logs: [{ ...(logs[0] as AuditLog), id: 'aud_new', seq: 101, action: 'project.create' }, ...page.logs.slice(0, -1)] };
  };
  await button('Refresh').click();
  await expect.element(table.getByText('project.create')).toBeVisible();
  expect(table.getByRole('row').elements()).toHaveLength(51);
});

test('a search that finds little goes on by itself a few times, and then asks before it goes further back', async () => {
  const { logs } = await governance.auditLogs({ limit: 10 });
  const asked = new Set<string>();
  vi.mocked(governance.auditLogs).mockImplementation(({ cursor = 'c0' } = {}) => {
    asked.add(cursor);
    const at = Number(cursor.slice(1)) + 1;
    const found = at % 2 === 0 ? [{ ...(logs[0] as AuditLog), id: `aud_${at}`, seq: at }] : [];
    return Promise.resolve({ logs: found, next_cursor: at < 6 ? `c${at}` : null, match_count: at === 1 ? 10_000 : null });
  });
  await open('/governance?q=rare');
  await expect.element(page.getByText('2 shown. Older records have not been searched yet')).toBeVisible();
  await expect.element(page.getByText('10,000+ records')).toBeVisible();
  expect([...asked]).toEqual(['c0', 'c1', 'c2', 'c3']);
  await button('Search further back').click();
  await expect.poll(() => table.getByRole('row').elements().length).toBe(4);
  expect(button('Search further back').query()).toBeNull();
  expect(asked.size).toBe(6);
});

test('a trail that cannot be loaded says so instead of looking empty, and Retry brings it', async () => {
  const works = governance.auditLogs;
  governance.auditLogs = () => Promise.reject(new ApiError('scope_missing', { detail: 'Refused for this test.' }));
  await open();
  await expect.element(page.getByText('Refused for this test.')).toBeVisible();
  expect(page.getByText('No audit logs found').query()).toBeNull();
  governance.auditLogs = works;
  await button('Retry').click();
  await expect.element(page.getByText('100 records')).toBeVisible();
});

test('a filter that nothing matches says how to go on', async () => {
  await open('/governance?q=nothing-is-called-so');
  await expect.element(page.getByText('No audit logs found')).toBeVisible();
  await expect.element(page.getByText('Try adjusting your filters')).toBeVisible();
});

test('the details of a record stand in the address, are exported as a file, and Back closes them', async () => {
  const { search, back } = await open('/governance?type=request');
  await button(/^View record 100/).click();
  const dialog = page.getByRole('dialog', { name: 'Audit Log Details' });
  await expect.element(dialog.getByText('[EMAIL]', { exact: false })).toBeVisible();
  expect(search()).toMatch(/log=aud_/);
  await dialog.getByRole('button', { name: 'Export This Log' }).click();
  expect(saved[0]?.name).toMatch(/^audit-log-aud_.+\.json$/);
  expect(JSON.parse((await saved[0]?.text) ?? '')).toMatchObject({ seq: 100, action_type: 'request' });
  back();
  await expect.poll(() => dialog.query()).toBeNull();
  expect(search()).toBe('?type=request');
});

test('a record whose payload was erased says so, and still has its place in the chain', async () => {
  const { logs } = await governance.auditLogs({ limit: 1 });
  vi.mocked(governance.auditLog).mockResolvedValue({
    ...(logs[0] as AuditLog),
    input_data: null,
    output_data: null,
    pii: null,
    is_erased: true,
  });
  await open(`/governance?log=${logs[0]?.id}`);
  await expect.element(page.getByText('The payload of this record was erased', { exact: false })).toBeVisible();
  await expect.element(page.getByText('#100, in the chain since', { exact: false })).toBeVisible();
});

test('Export Logs sends the filters in force and the format, and says that it worked or that it did not', async () => {
  await open('/governance?status=error');
  await button('Export Logs').click();
  vi.mocked(governance.exportAuditLogs).mockRejectedValueOnce(new ApiError('internal', { detail: 'Refused for this test.' }));
  await page.getByRole('radio', { name: 'CSV' }).click();
  await button('Export').click();
  await expect.element(page.getByText('Failed to export audit logs. Refused for this test.')).toBeVisible();
  await button('Export').click();
  await expect.element(page.getByText('Audit logs exported successfully!')).toBeVisible();
  expect(vi.mocked(governance.exportAuditLogs).mock.lastCall?.[0]).toEqual({ status: 'error', format: 'csv' });
  expect(saved[0]?.name).toMatch(/^audit-logs-\d{4}-\d\d-\d\dT[\d-]+Z\.csv$/);
  expect(await saved[0]?.text).toMatch(/^seq,timestamp/);
});

test('a verification goes on from call to call until the head', async () => {
  await open();
  await button('Verify now').click();
  await expect
    .element(
      page.getByText('100 records checked, all valid. Records after #96 will be covered by a signed checkpoint within three minutes.'),
    )
    .toBeVisible();
  expect(vi.mocked(governance.verifyAuditLogs).mock.calls.map(([given]) => given)).toEqual([{ from_seq: 1 }, { from_seq: 61 }]);
});

test('a broken chain names its first bad record, and the verification ends there', async () => {
  const first_bad = { seq: 42, id: null, reason: 'The hash does not fit' };
  vi.mocked(governance.verifyAuditLogs).mockResolvedValue({
    ...{ valid: false, checked: 41, up_to_seq: 42, head_seq: 100, checkpoint_seq: 96, next_seq: 43 },
    first_bad,
  });
  await open();
  await button('Verify now').click();
  await expect.element(page.getByText('Record #42 is not valid: The hash does not fit.')).toBeVisible();
  expect(governance.verifyAuditLogs).toHaveBeenCalledOnce();
});

test('a verification can be stopped, which says nothing bad about the records', async () => {
  vi.mocked(governance.verifyAuditLogs).mockImplementation(({ from_seq = 1 } = {}, { signal } = {}) =>
    from_seq === 1
      ? Promise.resolve({ valid: true, checked: 60, first_bad: null, up_to_seq: 60, head_seq: 100, checkpoint_seq: 96, next_seq: 61 })
      : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new DOMException('Left', 'AbortError')))),
  );
  await open();
  await button('Verify now').click();
  await expect.element(page.getByRole('meter', { name: 'Verifying' })).toHaveAttribute('aria-valuetext', '#60 of #100');
  await button('Stop').click();
  await expect.element(page.getByText('Stopped. 60 records checked, all valid.')).toBeVisible();
});

test('the details of PII follow a range of time, and only show when something was found', async () => {
  const { search } = await open('/governance?tab=data-governance');
  await button('View Details').click();
  await expect.element(page.getByText('98, 41.9%')).toBeVisible();
  await page.getByLabelText(/^From/).fill('2026-01-01T00:00');
  await expect.poll(search).toContain('from=2026-');
  await expect.poll(() => vi.mocked(governance.piiDetection).mock.lastCall?.[0]?.date_from).toMatch(/^202[56]-/);
});

test('without a finding there are no details to view', async () => {
  vi.mocked(governance.piiDetection).mockResolvedValue({ total_scans: 3, pii_detected: 0, auto_redacted: 0, types_detected: {} });
  await open('/governance?tab=data-governance');
  await expect.element(page.getByText('Nothing detected yet.')).toBeVisible();
  expect(button('View Details').query()).toBeNull();
});

test('a text is scanned, its findings are marked, and what would be stored stands beside it', async () => {
  await open('/governance?tab=data-governance');
  await page.getByRole('textbox', { name: 'Text to scan' }).fill('Write to ada@example.org today');
  await button('Scan text').click();
  await expect.element(page.getByText('1 value found')).toBeVisible();
  expect(document.querySelector('mark')?.textContent).toBe('ada@example.orgEmail');
  await expect.element(page.getByRole('region', { name: 'Redacted text' }).getByText('Write to [EMAIL] today')).toBeVisible();
});

test('a lineage can be opened by its address, and leads to its record', async () => {
  const { logs } = await governance.auditLogs({ limit: 100, action_type: 'request' });
  const traced = logs.find(({ trace_id }) => trace_id !== null);
  const { search } = await open(`/governance?lineage=${traced?.trace_id}`);
  await expect.element(page.getByRole('list', { name: 'Stages' }).getByRole('heading', { name: 'Received' })).toBeVisible();
  await button('View record').click();
  await expect.element(page.getByRole('dialog', { name: 'Audit Log Details' })).toBeVisible();
  expect(search()).toMatch(/^\?log=aud_/);
});

test('a record that several stages tell of is offered once', async () => {
  const { logs } = await governance.auditLogs({ limit: 100, action_type: 'request' });
  const trace_id = logs.find((log) => log.trace_id !== null)?.trace_id ?? '';
  const { stages, ...rest } = await governance.lineage({ trace_id });
  const told = stages.map((stage, index) => ({ ...stage, audit_id: index < 3 ? 'aud_a' : 'aud_b' }));
  vi.mocked(governance.lineage).mockResolvedValue({ ...rest, stages: told });
  await open(`/governance?lineage=${trace_id}`);
  await expect.element(button('View record').first()).toBeVisible();
  expect(button('View record').elements()).toHaveLength(2);
});

test('outside of the demo the page claims nothing that nothing computes', async () => {
  endSession();
  const summary = await demoApi(world).governance.summary();
  const unproven = {
    ...summary,
    chain: { ...summary.chain, verified: null },
    retention: { retention_days: 30, last_run_at: null, last_deleted: null },
  };
  vi.spyOn(window, 'fetch').mockImplementation((given) => {
    const { pathname } = new URL(String(given), location.origin);
    if (pathname.endsWith('/changes')) return new Promise(() => undefined);
    if (pathname.endsWith('/summary')) return Promise.resolve(Response.json(unproven));
    if (pathname.endsWith('/pii-detection'))
      return Promise.resolve(Response.json({ total_scans: 0, pii_detected: 0, auto_redacted: 0, types_detected: {} }));
    if (pathname.endsWith('/compliance')) return Promise.resolve(Response.json({ frameworks: [], score: null, claims: [] }));
    if (pathname.endsWith('/policies')) return Promise.resolve(Response.json({ policies: [] }));
    if (pathname.endsWith('/data-subject-requests')) return Promise.resolve(Response.json({ requests: [] }));
    if (pathname.endsWith('/model-providers')) return Promise.resolve(Response.json({ providers: [], seen: [] }));
    if (pathname.endsWith('/residency')) return Promise.resolve(Response.json({ stores: [], receivers: [], models: [] }));
    if (pathname.endsWith('/auth/me')) return Promise.resolve(Response.json(user));
    return Promise.resolve(Response.json({ logs: [], next_cursor: null, match_count: 0 }));
  });
  startSession({ token: 'tok', user }, false);
  await open('/governance');
  await expect.element(page.getByText('Never verified')).toBeVisible();
  await expect.element(page.getByText('Not verified')).toBeVisible();
  expect(page.getByText('98.5%').query()).toBeNull();
  for (const count of ['Violations', 'Active Policies'])
    await expect.poll(() => page.getByText(count, { exact: true }).element().nextElementSibling?.textContent).toBe('0');
  await page.getByRole('tab', { name: 'Data Governance' }).click();
  await expect.element(page.getByText('Not run yet')).toBeVisible();
  await expect.element(page.getByText('30 days', { exact: true })).toBeVisible();
  const rowOf = (term: string) => page.getByText(term, { exact: true }).element().nextElementSibling?.textContent;
  await expect.poll(() => rowOf('Backup Policy')).toBe('Not verified');
  expect(page.getByText('Enabled').query()).toBeNull();
});
