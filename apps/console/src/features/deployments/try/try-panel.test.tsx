import type { DeploymentDetail, TryEvent } from '@paddock/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { endSession, startSession } from '../../../api/session.ts';
import { consoleQueries } from '../../../app/query-client.ts';
import { TryCard } from './TryCard.tsx';

const user = { id: 'usr_1', email: 'ada@example.org', name: 'Ada Lovelace', plan: 'starter', email_verified: true };
const server = vi.spyOn(window, 'fetch');
const encoder = new TextEncoder();
const head = (headers: Record<string, string>, status = 200): TryEvent => ({
  head: { status, first_byte_ms: 12, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
});
const chunk = (text: string): TryEvent => ({ chunk: btoa(text) });
const end = (outcome: 'complete' | 'broken' = 'complete', detail = ''): TryEvent => ({
  end: { outcome, detail, bytes: 1, total_ms: 1234 },
});

let stream: ReadableStreamDefaultController<Uint8Array>;
let sent: unknown[] = [];
let signal: AbortSignal | undefined;
const tell = (...events: TryEvent[]) => stream.enqueue(encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')));

beforeEach(() => {
  sent = [];
  startSession({ token: 'tok', user }, false);
  server.mockImplementation(async (_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    signal = init?.signal ?? undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
    signal?.addEventListener('abort', () => stream.error(signal?.reason));
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  });
});
afterEach(() => endSession());

async function open(plan: Partial<DeploymentDetail['plan']> = null) {
  const deployment = { id: 'dep_1', plan } as DeploymentDetail;
  const { unmount } = await render(
    <QueryClientProvider client={consoleQueries()}>
      <TryCard deployment={deployment} />
    </QueryClientProvider>,
  );
  await page.getByRole('button', { name: 'Write a request' }).click();
  await expect.element(page.getByLabelText('Template')).toHaveFocus();
  return unmount;
}
const send = page.getByRole('button', { name: 'Send' });
const body = page.getByRole('region', { name: 'Response body' });
const answer = page.getByRole('region', { name: 'Response', exact: true });

test('a request is filled in, sent by the keys and answered while one watches; the whole JSON is indented', async () => {
  await open();
  await page.getByLabelText('Template').selectOptions('Chat: POST /chat');
  await expect.element(page.getByLabelText('Path')).toHaveValue('/chat');
  await page.getByLabelText('Body').fill('{"message":"Hi"}');
  await expect.element(page.getByLabelText('Template')).toHaveDisplayValue('Custom request');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Waiting for the response …')).toBeVisible();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([
    { method: 'POST', path: '/chat', headers: [{ name: 'content-type', value: 'application/json' }], body: '{"message":"Hi"}' },
  ]);
  tell(head({ 'content-type': 'application/json', 'x-request-id': 'req_7' }), chunk('{"reply":'));
  await expect.element(body).toHaveTextContent('{"reply":');
  await expect.element(page.getByText('Receiving the response …')).toBeVisible();
  tell(chunk('"Hello"}'), end());
  stream.close();
  await expect.element(page.getByText('Complete after 1.2 s')).toBeVisible();
  expect(body.element().textContent).toBe('{\n  "reply": "Hello"\n}');
  await expect.element(page.getByText('Status 200')).toBeVisible();
  await expect.element(page.getByText('First byte after 12 ms')).toBeVisible();
  await expect.element(page.getByText('req_7').first()).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Trace' })).not.toBeInTheDocument();
});

test('a page of an agent is shown as its source and nothing of it runs; the trace is led to where there is one', async () => {
  await open();
  await send.click();
  const id = '0af7651916cd43dd8448eb211c80319c';
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  tell(head({ 'content-type': 'text/html', 'set-cookie': 'planted=1', 'x-trace-id': id }, 503));
  tell(chunk('<img src=x onerror="window.planted=1"><h1>Hi</h1>'), end());
  await expect.element(body).toHaveTextContent('<img src=x onerror="window.planted=1"><h1>Hi</h1>');
  await expect.element(page.getByText('Status 503')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Trace' })).toHaveAttribute('href', expect.stringContaining(`trace=${id}`));
  await page.getByText('Response headers: 3').click();
  await expect.element(page.getByText('planted=1', { exact: true })).toBeVisible();
  expect(document.cookie).not.toContain('planted');
  expect(window).not.toHaveProperty('planted');
});

test('cancelling ends the request and keeps what came; so does leaving the page', async () => {
  const unmount = await open();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await send.click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  tell(head({ 'content-type': 'text/event-stream' }), chunk('data: one\n\n'));
  await expect.element(body).toHaveTextContent('data: one');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('Cancelled')).toBeVisible();
  expect(signal?.aborted).toBe(true);
  await expect.element(body).toHaveTextContent('data: one');
  await send.click();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(signal?.aborted).toBe(false);
  await unmount();
  expect(signal?.aborted).toBe(true);
});

test('an answer that broke off says so, and bytes that are no text are offered as a file', async () => {
  await open({ framework: 'FastMCP' });
  await expect.element(page.getByLabelText('Path')).toHaveValue('/mcp');
  await send.click();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  tell(head({ 'content-type': 'image/png' }), chunk('\u0089PNG'), end('broken', 'The connection ended before the answer was whole.'));
  await expect.element(answer.getByText('The response is not text: 4 B. Save it to view it.')).toBeVisible();
  await expect.element(answer.getByText('The connection ended before the answer was whole.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Save response' })).toBeVisible();
});

test('what the server refuses is told at the field, or with the request id', async () => {
  await open();
  const problem = (status: number, more: object) =>
    Response.json({ status, request_id: 'req_9', ...more }, { status, headers: { 'content-type': 'application/problem+json' } });
  await page.getByLabelText('Headers').fill('nonsense');
  await send.click();
  await expect.element(page.getByText('Line 1 is not a header such as "accept: text/plain".')).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByLabelText('Headers').fill('Host: x');
  const errors = [{ path: 'headers.0.name', message: 'Host is set by Paddock, leave it out' }];
  server.mockResolvedValueOnce(problem(422, { code: 'input_invalid', detail: 'Wrong.', errors }));
  await send.click();
  await expect.element(page.getByText('Host is set by Paddock, leave it out')).toBeVisible();
  server.mockResolvedValueOnce(problem(409, { code: 'deployment_cannot_answer', detail: 'The deployment is stopped.' }));
  await page.getByLabelText('Headers').fill('');
  await send.click();
  await expect.element(page.getByText('The deployment is stopped.')).toBeVisible();
  await expect.element(page.getByText('req_9')).toBeVisible();
});
