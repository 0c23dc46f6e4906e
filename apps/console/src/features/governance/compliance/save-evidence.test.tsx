import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../../api/session.ts';
import { Console } from '../../../app/Console.tsx';
import { consoleQueries } from '../../../app/query-client.ts';
import { consoleRouter } from '../../../app/router.tsx';
import { demoApi } from '../../../demo/demo-api.ts';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };

afterEach(() => {
  endSession();
  vi.restoreAllMocks();
});

test('the evidence of a framework is saved byte by byte', async () => {
  const gdpr = await demoApi().compliance.detail({ framework: 'gdpr' });
  const archive = Uint8Array.from({ length: 256 }, (_, index) => index);
  let asked = 0;
  vi.spyOn(window, 'fetch').mockImplementation((given) => {
    const { pathname } = new URL(String(given), location.origin);
    if (pathname.endsWith('/auth/me')) return Promise.resolve(Response.json(user));
    if (pathname.endsWith('/compliance/gdpr')) return Promise.resolve(Response.json(gdpr));
    if (!pathname.endsWith('/compliance/gdpr/evidence')) return new Promise(() => undefined);
    asked += 1;
    return Promise.resolve(
      asked === 1
        ? Response.json({ code: 'internal', detail: 'Refused for this test.' }, { status: 500 })
        : new Response(archive, { headers: { 'content-type': 'application/zip' } }),
    );
  });
  const kept: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    kept.push(blob as Blob);
    return 'blob:kept';
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function keep(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  startSession({ token: 'tok', user }, false);
  const router = consoleRouter(createMemoryHistory({ initialEntries: ['/governance?framework=gdpr'] }));
  await render(<Console router={router} queries={consoleQueries()} />);
  const download = page.getByRole('button', { name: 'Download Evidence' });
  await download.click();
  await expect.element(page.getByText('Failed to download the evidence. Refused for this test.')).toBeVisible();
  await download.click();
  await expect.poll(() => names[0]).toMatch(/^compliance-gdpr-.+Z\.zip$/);
  expect(new Uint8Array((await kept[0]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(archive);
});
