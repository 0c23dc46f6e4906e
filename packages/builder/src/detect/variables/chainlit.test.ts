import assert from 'node:assert/strict';
import { test } from 'node:test';
import { required } from '../../../test/asked-variables.ts';

const page = 'import chainlit as cl\n\n@cl.oauth_callback\ndef enter(provider, token, user, default):\n    return default\n';
const pair = (service: string) => `OAUTH_${service}_CLIENT_ID=x\nOAUTH_${service}_CLIENT_SECRET=\n`;

test('Chainlit needs ID and secret of the one service that is named, and of several none alone', async () => {
  const wanted = ['CHAINLIT_AUTH_SECRET', 'OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'];
  assert.deepEqual((await required({ 'main.py': page, '.env.example': pair('GITHUB') })).toSorted(), wanted);
  const both = { 'main.py': page, '.env.example': pair('GITHUB') + pair('GOOGLE') };
  assert.deepEqual(await required(both), ['CHAINLIT_AUTH_SECRET']);
});

test('what the function of Chainlit that compares passwords reads is required, unless it lets everybody in without', async () => {
  const check = (otherwise: string) =>
    'import os\nimport chainlit as cl\n\n@cl.password_auth_callback\ndef enter(user: str, word: str):\n    name = os.getenv("DESK_USER", "admin")\n' +
    `    wanted = os.getenv("DESK_PASSWORD")\n    if not wanted:\n        ${otherwise}\n    return make(name) if word == wanted else None\n\n` +
    'def later():\n    key = os.getenv("SIDE_KEY")\n    if not key:\n        return None\n';
  assert.deepEqual(await required({ 'main.py': check('return None') }), ['DESK_PASSWORD', 'CHAINLIT_AUTH_SECRET']);
  assert.deepEqual(await required({ 'main.py': check('return make(name)') }), ['CHAINLIT_AUTH_SECRET']);
});
