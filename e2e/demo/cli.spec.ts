import { createServer } from 'node:http';
import { expect, expectAccessible, test } from './console.ts';

test('in demo mode the command line gets a demo key, and no server is asked', async ({ demo, site }) => {
  let got = '';
  const tool = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
    request.on('end', () => response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,"><p>taken</p>'));
  });
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve));
  const { port } = tool.address() as { port: number };
  try {
    await demo.goto(`${site.url}/login?${new URLSearchParams({ cli: 'true', callback: `http://127.0.0.1:${port}/callback?state=abc` })}`);
    await expect(demo.getByText(/sample key that does not work anywhere/)).toBeVisible();
    await expectAccessible(demo);
    await demo.getByRole('button', { name: 'Authorize the command line' }).click();
    await expect(demo.getByText('taken')).toBeVisible();
    const form = new URLSearchParams(got);
    expect([form.get('api_key')?.slice(0, 8), form.get('state')]).toEqual(['pk_demo_', 'abc']);
  } finally {
    tool.close();
    tool.closeAllConnections();
  }
});
