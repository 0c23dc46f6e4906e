import type { ComplianceDetail, ComplianceRun, ControlResource } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { offerDemo } from '../../../api/api.ts';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { demoApi } from '../../../demo/demo-api.ts';
import { createDemoWorld } from '../../../demo/demo-world.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
/** Spies on the calls for compliance; a test may override a response. */
let compliance = demoApi().compliance;

beforeEach(() => {
  const api = demoApi(createDemoWorld());
  compliance = { ...api.compliance };
  for (const name of Object.keys(compliance)) vi.spyOn(compliance, name as keyof typeof compliance);
  offerDemo(() => Promise.resolve({ ...api, compliance }));
  startSession({ token: 'demo-token-test', user }, false);
});
afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

async function open(path = '/governance?tab=compliance') {
  const router = consoleRouter(createMemoryHistory({ initialEntries: [path] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  return { search: () => decodeURIComponent(router.state.location.searchStr), path: () => router.state.location.pathname };
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = page.getByRole('dialog');
const refused = () => new ApiError('internal', { detail: 'Refused for this test.' });
const fact = async (term: string) => {
  await expect.element(dialog.getByText(term, { exact: true }).first()).toBeVisible();
  return dialog.getByText(term, { exact: true }).first().element().nextElementSibling?.textContent;
};

test('each framework is listed with its status, when it was checked and its violations, in singular and plural', async () => {
  await open();
  const rows = page.getByRole('table', { name: 'Frameworks' }).getByRole('row');
  await expect.element(rows.nth(6)).toBeVisible();
  const texts = rows.elements().map((row) => row.textContent);
  expect(texts[1]).toMatch(/GDPR.*Compliant.*4 min ago.*0 violations.*View Details/);
  expect(texts[3]).toMatch(/HIPAA.*Non-compliant.*1 violation(?!s)/);
  expect(texts[5]).toMatch(/CCPA.*Compliant.*0 violations/);
  expect(texts[6]).toMatch(/PCI DSS.*Non-compliant.*3 violations/);
});

test('the cards hold what the server claims, and each verified line leads to the evidence', async () => {
  const overview = await compliance.overview();
  vi.mocked(compliance.overview).mockResolvedValue({
    ...overview,
    score: null,
    claims: [
      { card: 'security', label: 'Penetration Tests', value: 'Not verified', control: null, status: 'unverified' },
      { card: 'data_privacy', label: 'PII Detection', value: 'Active', control: 'PII-03', status: 'passed' },
    ],
  });
  const { search } = await open();
  const security = page.getByRole('region', { name: 'Security', exact: true });
  await expect.element(security.getByText('Not verified')).toBeVisible();
  for (const claim of ['Certified', 'Quarterly', '98.5%']) expect(page.getByText(claim).query()).toBeNull();
  await button('Evidence of PII Detection: control PII-03').click();
  await expect.element(page.getByRole('dialog', { name: 'PII-03: Detector regression' })).toBeVisible();
  expect(search()).toContain('control=PII-03');
});

test('a framework stands in the address, with its figures, its description, its violations and the way to mend them', async () => {
  const { search, path } = await open();
  await button('View Details of PCI DSS').click();
  await expect.element(page.getByRole('dialog', { name: 'PCI DSS' })).toBeVisible();
  expect(search()).toBe('?tab=compliance&framework=pci-dss');
  await expect.element(dialog.getByText('Payment Card Industry Data Security Standard', { exact: false })).toBeVisible();
  expect(await fact('Overall Status')).toBe('Non-compliant');
  expect(await fact('Violations')).toBe('3');
  expect(await fact('Checks Failed')).toBe('3');
  expect(await fact('Coverage')).toBe('100%');
  await expect.element(dialog.getByText('Sessions of the team end after 720 minutes', { exact: false })).toBeVisible();
  await dialog.getByRole('link', { name: 'Open API Keys' }).first().click();
  await expect.poll(path).toBe('/api-keys');
});

test('that all passed is said where all was verified, and only there', async () => {
  const ccpa = await compliance.detail({ framework: 'ccpa' });
  const { detail } = compliance;
  vi.mocked(detail).mockImplementation((input, options) =>
    input.framework === 'ccpa'
      ? Promise.resolve({ ...ccpa, status: 'in_review', checks_unverified: 1 })
      : demoApi().compliance.detail(input, options),
  );
  await open('/governance?framework=gdpr');
  await expect.element(dialog.getByText('No violations found. All compliance checks passed!')).toBeVisible();
  await button('Close').first().click();
  await button('View Details of CCPA').click();
  await expect.element(dialog.getByText('No violations found. 1 check could not be verified and does not count as passed.')).toBeVisible();
  expect(dialog.getByText('All compliance checks passed!', { exact: false }).query()).toBeNull();
});

/** A check of GDPR whose progress the test controls: the demo's own would be done before a slow page has opened. */
async function checkOfGdpr(after: Partial<ComplianceDetail> = {}) {
  const detail = await compliance.detail({ framework: 'gdpr' });
  const progress = { done: 0 };
  const run = (): ComplianceRun => ({
    id: 'cmr_1',
    framework: 'gdpr',
    status: progress.done < 36 ? 'running' : 'completed',
    controls_done: progress.done,
    controls_total: 36,
    started_at: detail.last_checked ?? '',
    finished_at: null,
  });
  vi.mocked(compliance.check).mockImplementation(() => Promise.resolve(run()));
  vi.mocked(compliance.run).mockImplementation(() => Promise.resolve(run()));
  /** The details, with the check in progress if `isBegun`. */
  const detailOf = (isBegun: boolean) => {
    const isDone = progress.done === 36;
    return { ...detail, ...(isDone ? after : {}), run: isBegun && !isDone ? run() : null };
  };
  return { progress, detailOf };
}

test('Run Check Now starts a check once, shows how far it is, and brings what it found', async () => {
  const { progress, detailOf } = await checkOfGdpr({
    status: 'non_compliant',
    violations: ['A key of CI is too old.'],
    checks_failed: 1,
  });
  vi.mocked(compliance.detail).mockImplementation(() => Promise.resolve(detailOf(false)));
  await open('/governance?framework=gdpr');
  await button('Run Check Now').click();
  await expect.element(page.getByText('Compliance check initiated successfully!')).toBeVisible();
  await expect.element(dialog.getByText('0 of 36 controls checked')).toBeVisible();
  await expect.element(button('Run Check Now')).toHaveAttribute('aria-busy', 'true');
  progress.done = 12;
  await expect.element(dialog.getByText('12 of 36 controls checked')).toBeVisible();
  progress.done = 36;
  await expect.element(dialog.getByText('A key of CI is too old.')).toBeVisible();
  expect(dialog.getByText('controls checked', { exact: false }).query()).toBeNull();
  expect(compliance.check).toHaveBeenCalledOnce();
});

test('a check that is under way is followed without being started again', async () => {
  const { progress, detailOf } = await checkOfGdpr();
  vi.mocked(compliance.detail).mockImplementation(() => Promise.resolve(detailOf(true)));
  progress.done = 12;
  await open('/governance?framework=gdpr');
  await expect.element(dialog.getByText('12 of 36 controls checked')).toBeVisible();
  progress.done = 36;
  await expect.poll(() => dialog.getByText('controls checked', { exact: false }).query()).toBeNull();
  expect(compliance.check).not.toHaveBeenCalled();
});

test('a check that cannot be started says so and can be started then; details that cannot be loaded are asked for again', async () => {
  const works = compliance.detail;
  compliance.detail = () => Promise.reject(new ApiError('scope_missing', { detail: 'Refused for this test.' }));
  vi.mocked(compliance.check).mockRejectedValueOnce(refused());
  await open('/governance?framework=gdpr');
  await expect.element(dialog.getByText('Failed to load compliance details. Refused for this test.')).toBeVisible();
  expect(button('Run Check Now').query()).toBeNull();
  compliance.detail = works;
  await button('Retry').click();
  await button('Run Check Now').click();
  await expect.element(dialog.getByText('Failed to run compliance check. Refused for this test.')).toBeVisible();
  await button('Run Check Now').click();
  await expect.element(page.getByText('Compliance check initiated successfully!')).toBeVisible();
});

test('frameworks that cannot be loaded say so, and the cards claim nothing', async () => {
  vi.mocked(compliance.overview).mockRejectedValue(new ApiError('scope_missing', { detail: 'Refused for this test.' }));
  await open();
  await expect.element(page.getByText('Refused for this test.')).toBeVisible();
  expect(page.getByRole('table').query()).toBeNull();
  expect(page.getByText('Compliance Score').element().nextElementSibling?.textContent).toBe('–');
});

test('a control shows its evidence as rows and as JSON, its runs, and leads back to its framework', async () => {
  const { search } = await open('/governance?tab=compliance&framework=pci-dss');
  await button('View control KEY-02').click();
  await expect.element(page.getByRole('dialog', { name: 'KEY-02: API-key age and idleness' })).toBeVisible();
  await expect.element(dialog.getByText('age days', { exact: true })).toBeVisible();
  await expect.element(dialog.getByText('agents:read, logs:read')).toBeVisible();
  await dialog.getByText('As JSON', { exact: false }).first().click();
  const json = dialog.getByRole('region', { name: 'Evidence of Nightly evaluation, as JSON' });
  await expect.poll(() => json.query()?.textContent).toContain('"age_days": 212,');
  await expect.element(dialog.getByText('Violates PCI DSS 8.6.3', { exact: false })).toBeVisible();
  expect(dialog.getByRole('table', { name: 'Runs of the control' }).getByRole('row').elements()).toHaveLength(5);
  await button('Close').first().click();
  await expect.element(page.getByRole('dialog', { name: 'PCI DSS' })).toBeVisible();
  expect(search()).toBe('?tab=compliance&framework=pci-dss');
});

test('a control opened from a framework shows what it breaks of that framework, and what is not applicable says why', async () => {
  await open('/governance?tab=compliance&framework=hipaa');
  await expect.element(dialog.getByText('Violates HIPAA § 164.316(b)(2)(i)', { exact: false })).toBeVisible();
  expect(await fact('Not Applicable')).toBe('0');
  await button('View control AUD-03').click();
  await expect.element(page.getByRole('dialog', { name: 'AUD-03: Audit retention and off-box copy' })).toBeVisible();
  await expect.element(dialog.getByText('HIPAA § 164.316(b)(2)(i) asks for 2,190', { exact: false })).toBeVisible();
  expect(dialog.getByText('PCI DSS', { exact: false }).query()).toBeNull();
  await button('Close').first().click();
  await button('View control KEY-02').click();
  await expect.element(dialog.getByText('Within what HIPAA asks for.')).toBeVisible();
  expect(button('Waive the finding on Nightly evaluation').query()).toBeNull();
  await button('Close').first().click();
  await button('Close').first().click();
  await button('View Details of GDPR').click();
  await expect.element(dialog.getByText('Not applicable', { exact: true })).toBeVisible();
  await expect.element(dialog.getByText('Art. 5(1)(c), Art. 25(1), Art. 25(2)')).toBeVisible();
  await button('View control DSR-01').click();
  await expect.element(dialog.getByText('Nobody has asked about their data within the last year.')).toBeVisible();
});

test('a stale result is never green, and what is not verified is not passed', async () => {
  const detail = await compliance.detail({ framework: 'gdpr' });
  const [first, second] = detail.controls;
  if (!first || !second) throw new Error('The demo has controls.');
  vi.mocked(compliance.detail).mockResolvedValue({
    ...detail,
    controls: [
      { ...first, is_stale: true },
      { ...second, status: 'unverified', checked_at: null },
    ],
  });
  await open('/governance?framework=gdpr');
  const table = dialog.getByRole('table', { name: 'Controls' });
  await expect.element(table.getByText('Stale')).toBeVisible();
  await expect.element(table.getByText('Not verified')).toBeVisible();
  await expect.element(table.getByText('Not checked yet')).toBeVisible();
  expect(table.getByText('Passed', { exact: true }).query()).toBeNull();
});

test('a waiver names what, who, why and until when; it is created and ended, and nothing typed is lost by an error', async () => {
  await open('/governance?control=IAM-05');
  await button('Waive the finding on Demo team').click();
  const form = dialog.getByRole('form', { name: 'New waiver' });
  await expect.element(form.getByLabelText('Owner')).toHaveValue('demo@paddock.dev');
  await form.getByLabelText('Reason').fill('short');
  await form.getByRole('button', { name: 'Create waiver' }).click();
  await expect.element(form.getByText('Enter at least 10 characters.')).toBeVisible();
  await form.getByLabelText('Reason').fill('The console is used on one locked machine.');
  vi.mocked(compliance.createWaiver).mockRejectedValueOnce(refused());
  await form.getByRole('button', { name: 'Create waiver' }).click();
  await expect.element(form.getByText('Refused for this test.')).toBeVisible();
  await expect.element(form.getByLabelText('Reason')).toHaveValue('The console is used on one locked machine.');
  await form.getByRole('button', { name: 'Create waiver' }).click();
  await expect.element(dialog.getByText('Owner demo@paddock.dev, until', { exact: false })).toBeVisible();
  const [given] = vi.mocked(compliance.createWaiver).mock.lastCall ?? [];
  expect(given).toMatchObject({ control: 'IAM-05', resource_id: 'team_demo', owner: 'demo@paddock.dev' });
  expect(Date.parse(given?.expires_at ?? '') - Date.now()).toBeGreaterThan(89 * 86_400_000);
  await expect.element(dialog.getByText('Waived', { exact: true }).first()).toBeVisible();
  await button('End the waiver of Demo team').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End waiver' }).click();
  await expect.element(dialog.getByText('No waivers.')).toBeVisible();
});

test('what a stranger named neither acts nor hides, and a way out of the console is no way to mend', async () => {
  const control = await compliance.control({ control: 'KEY-02' });
  const [first] = control.resources;
  const hostile = (path: string): ControlResource => ({
    ...(first as ControlResource),
    id: path,
    name: 'CI\u202e key',
    fix: { text: 'Rotate it.', path },
  });
  vi.mocked(compliance.control).mockResolvedValue({
    ...control,
    resources: ['//evil.example', 'javascript:alert(1)', 'https://evil.example', '/api-keys'].map(hostile),
  });
  await open('/governance?control=KEY-02');
  await expect.element(dialog.getByText('CI key', { exact: true }).first()).toBeVisible();
  expect(
    dialog
      .getByRole('link', { name: 'Open API Keys' })
      .elements()
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/api-keys']);
});
