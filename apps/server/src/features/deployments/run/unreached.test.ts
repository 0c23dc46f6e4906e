import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreached } from './unreached.ts';

test('a database that refuses is known by the client in the traceback where the error has no port', () => {
  const refused = 'ConnectionRefusedError: [Errno 111] Connection refused';
  const said = (path: string, error = refused) =>
    unreached(error, [`  File "/app/.venv/lib/python3.12/site-packages/${path}", line 1, in connect`, error]) ?? '';
  assert.match(said('asyncpg/connection.py'), /expects a PostgreSQL that is not there\. Deploy with a database/);
  assert.match(said('redis/asyncio/connection.py'), /expects a Redis that is not there/);
  assert.match(said('httpx/_client.py'), /Nothing answers at the address that it calls/);
  assert.match(said('asyncpg/connection.py', `${refused}: ('10.0.0.4', 9000)`), /Nothing answers at the address/);
});
