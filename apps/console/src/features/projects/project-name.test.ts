import { projectNameProblem } from '@paddock/contract/rules';
import { expect, test } from 'vitest';
import { keepNameCharacters, projectNameFrom } from './project-name.ts';

test('typing strips what no project name may contain', () => {
  expect(keepNameCharacters('My Agent_2!-é')).toBe('myagent2-');
});

test.each(['My Agent (2).zip', '---.zip', '日本.zip', `${'x'.repeat(80)}.zip`, 'a--b.ZIP'])('the name made from %s is valid', (file) => {
  expect(projectNameProblem(projectNameFrom(file))).toBeNull();
});
