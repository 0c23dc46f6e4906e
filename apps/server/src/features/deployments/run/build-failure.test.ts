import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskedVariable, BuildError } from '@paddock/builder';
import { buildFailure } from './failure-messages.ts';

const reads = (...names: string[]): AskedVariable[] => names.map((name) => ({ name, required: true, secret: true, at: 'main.py:1' }));

test('a build that says that variables are missing, and not which, is told those that its archive requires', () => {
  const tail = ['Error: Missing Supabase environment variables', '    at 17071 (.next/server/app/api/agent/route.js:1:14611)'];
  const error = new BuildError('build', 'build_failed', { message: 'The page /api/agent could not be made in the build.', tail });
  const asked = [...reads('SUPABASE_URL', 'SUPABASE_KEY'), { ...reads('LOG_LEVEL')[0]!, required: false }];
  assert.match(
    buildFailure(error, { asked, set: ['SUPABASE_KEY'] }),
    /It seems to need the variable SUPABASE_URL: set it under Variables, for builds too, and redeploy\./,
  );
  assert.doesNotMatch(buildFailure(error, { asked, set: ['SUPABASE_KEY', 'SUPABASE_URL'] }), /It seems to need/);
});

test('a build that needs a variable says that builds have to get it', () => {
  const error = new BuildError('build', 'build_failed', {
    message: 'The build failed (exit code 1).',
    hint: 'The last lines of the log tell more.',
    tail: ['Error: POSTGRES_URL is not defined'],
  });
  const asked = reads('POSTGRES_URL');
  assert.match(buildFailure(error, { asked }), /the variable POSTGRES_URL: set it under Variables, for builds too/);
  assert.match(buildFailure(error, { asked, set: ['POSTGRES_URL'] }), /The last lines of the log tell more/);
});
