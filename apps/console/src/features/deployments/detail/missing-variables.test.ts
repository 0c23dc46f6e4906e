import type { DeploymentDetail } from '@paddock/contract';
import { expect, test } from 'vitest';
import { missingVariables } from './missing-variables.ts';

const asked_variables = [
  { name: 'OPENAI_API_KEY', required: true, secret: true, at: 'main.py:3' },
  { name: 'TICKETS_URL', required: true, secret: false, at: 'main.py:4', example: 'https://tickets.example' },
  { name: 'MODEL', required: false, secret: false, at: 'main.py:5' },
];
const names = (error_message: string | null, set: string[] = []) =>
  missingVariables({ error_message, plan: { asked_variables } } as unknown as DeploymentDetail, new Set(set)).map(({ name }) => name);

test('the variables that the message names come first, then the required ones that are not set', () => {
  expect(names('It seems to need the variable TICKETS_URL: set it under Variables and redeploy.')).toEqual([
    'TICKETS_URL',
    'OPENAI_API_KEY',
  ]);
  expect(names('It seems to need the variables TICKETS_URL, OPENAI_API_KEY: set them.')).toEqual(['TICKETS_URL', 'OPENAI_API_KEY']);
  expect(names('It seems to need the variable BOT_TOKEN: set it.', ['OPENAI_API_KEY', 'TICKETS_URL'])).toEqual(['BOT_TOKEN']);
});

test('an optional variable is offered if the message names it, and one that is set already, whose value may be wrong', () => {
  expect(names('ValueError: MODEL must be one of …', ['OPENAI_API_KEY', 'TICKETS_URL'])).toEqual(['MODEL']);
  expect(names('OPENAI_API_KEY was refused', ['OPENAI_API_KEY', 'TICKETS_URL'])).toEqual(['OPENAI_API_KEY']);
});

test('nothing is offered where the message names no variable', () => {
  expect(names('Build failed: no version of flask==99.99.99')).toEqual([]);
  expect(names(null)).toEqual([]);
});

test('a name is secret if the archive or the name itself says so', () => {
  const found = missingVariables(
    { error_message: 'needs the variables BOT_TOKEN, DESK', plan: null } as unknown as DeploymentDetail,
    new Set(),
  );
  expect(found).toEqual([
    { name: 'BOT_TOKEN', example: undefined, isSecret: true },
    { name: 'DESK', example: undefined, isSecret: false },
  ]);
});
