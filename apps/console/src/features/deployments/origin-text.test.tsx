import type { Deployment } from '@paddock/contract';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { OriginText } from './OriginText.tsx';

async function textsOf(origin: Partial<Deployment>): Promise<string[]> {
  const none = { message: null, commit_sha: null, commit_branch: null, commit_dirty: null };
  const screen = await render(<OriginText of={{ ...none, ...origin } as Deployment} />);
  const texts = [...screen.container.querySelectorAll(':scope > span > span')].map((line) => line.textContent ?? '');
  await screen.unmount();
  return texts;
}

test('a deployment shows its message and its commit, and nothing where its sender named neither', async () => {
  const commit = { commit_sha: '9f3c1e7ab2d8', commit_branch: 'main' };
  expect(await textsOf({ message: 'Route refunds', ...commit, commit_dirty: false })).toEqual(['Route refunds', '9f3c1e7, main']);
  expect(await textsOf({ ...commit, commit_dirty: true })).toEqual(['9f3c1e7, main, with uncommitted changes']);
  expect(await textsOf({ commit_branch: 'main', commit_dirty: null })).toEqual(['main']);
  expect(await textsOf({})).toEqual([]);
});

test('characters of a message that would turn or hide text are shown as what they are', async () => {
  const [message = ''] = await textsOf({ message: 'safe\u202egnp' });
  expect(message).not.toContain('\u202e');
});
