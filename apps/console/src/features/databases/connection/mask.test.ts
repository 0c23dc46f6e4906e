import { expect, test } from 'vitest';
import { maskedCommand, maskedUrl } from './mask.ts';

test.each([
  'postgresql://agent:hunter2@127.0.0.1:5432/app',
  'redis://:hunter2@db.example.org:6379/0',
  'postgresql://db.example.org/app?password=hunter2',
  'postgresql://agent:hunter2',
  'hunter2',
])('nothing of %s is to be seen but its scheme', (url) => {
  expect(maskedUrl(url)).toMatch(/^(postgresql:\/\/|redis:\/\/)?•+$/);
});

test.each([
  "psql 'postgresql://agent:hunter2@127.0.0.1:5432/app'",
  'PGPASSWORD=hunter2 psql -h 127.0.0.1',
  'hunter2',
  'redis-cli -u redis://:hunter2@127.0.0.1',
])('nothing of %s is to be seen but its program', (command) => {
  expect(maskedCommand(command)).toMatch(/^(psql |redis-cli )?•+$/);
});
