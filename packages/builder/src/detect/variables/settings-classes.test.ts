import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked } from '../../../test/asked-variables.ts';

test('the branches of a condition in a settings class are no fields', async () => {
  const settings =
    'from pydantic_settings import BaseSettings\n\nclass Settings(BaseSettings):\n    _stage = "a"\n    if _stage:\n        _file = "a"\n    else:\n        _file = "b"\n' +
    '    try: _other = 1\n    finally: _other = 2\n    desk_key: str\n';
  assert.deepEqual(
    (await asked({ 'config.py': settings })).map(({ name, required }) => [name, required]),
    [['DESK_KEY', true]],
  );
});
