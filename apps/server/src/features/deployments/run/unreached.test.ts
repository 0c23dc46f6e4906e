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

test('a database that the source itself says it cannot connect to is offered, with the names that it would set', () => {
  const said = 'ConfigurationError: Failed to connect to the database after multiple attempts';
  assert.match(
    unreached(said, [], ['LOG_LEVEL', 'POSTGRES_HOST', 'POSTGRES_PASS']) ?? '',
    /expects a PostgreSQL .* Deploy with a database, which sets POSTGRES_HOST, POSTGRES_PASS, or set/,
  );
  assert.equal(unreached(said, [], ['MONGO_URI']), undefined, 'of another kind of database nothing is said');
});

test('a Redis that wants a password is told with the variable that has it, or with where to read it', () => {
  const refused = 'ReplyError: NOAUTH Authentication required.';
  const told = 'redis.exceptions.AuthenticationError: Authentication required.';
  assert.match(
    unreached(refused, [], ['REDIS_HOST', 'REDIS_PASSWORD']) ?? '',
    /wants a password, and REDIS_PASSWORD has none\. A Redis of Paddock is in REDIS_URL .* set REDIS_PASSWORD under Variables/,
  );
  assert.match(unreached(told, [], ['REDIS_HOST']) ?? '', /its source has no variable for it\. A Redis of Paddock is in REDIS_URL/);
});

test('an extension that the database lacks is named, with the way to one that has it', () => {
  const said = 'sqlalchemy.exc.NotSupportedError: (psycopg.errors.FeatureNotSupported) extension "vector" is not available';
  assert.match(
    unreached(said) ?? '',
    /needs the PostgreSQL extension vector, .* Managed databases have pgvector unless the server cannot fetch it/,
  );
  assert.match(unreached('error: type "vector" does not exist') ?? '', /CREATE EXTENSION IF NOT EXISTS vector/);
  assert.match(unreached('ERROR: extension "postgis" is not available') ?? '', /that has postgis\./);
  assert.equal(unreached('error: type "mood" does not exist'), undefined);
});

test('an Ollama that does not answer is named with the variable that has its address', () => {
  const said = 'ConnectionError: Failed to connect to Ollama. Please check that Ollama is downloaded, running and accessible.';
  assert.match(unreached(said, [], ['LLM_MODEL', 'OLLAMA_BASE_URL']) ?? '', /calls Ollama.* set OLLAMA_BASE_URL under Variables/);
  assert.match(
    unreached("Cannot connect to host 127.0.0.1:11434 [Connect call failed ('127.0.0.1', 11434)]") ?? '',
    /set OLLAMA_HOST under/,
  );
  assert.doesNotMatch(unreached('Error: connect ECONNREFUSED 127.0.0.1:8080') ?? '', /Ollama/);
});

test('a well-known service that is not reached is named, also where its library does not, and nobody is told to correct its address', () => {
  const telegram = 'telegram.error.NetworkError: httpx.ConnectError: [Errno -2] Name or service not known';
  assert.match(unreached(telegram) ?? '', /^It calls api\.telegram\.org, which this machine does not reach/);
  assert.equal(
    unreached('Error: getaddrinfo ENOTFOUND discord.com'),
    'It calls discord.com, which this machine does not reach: the name is not known here. Ask the operator whether agents may reach it.',
  );
  assert.match(unreached('Error: getaddrinfo ENOTFOUND openai.example.com') ?? '', /Correct the address/);
  assert.match(unreached('httpx.ConnectError: [Errno -2] Name or service not known') ?? '', /^It calls a host whose name is not known/);
});

test('a server of another kind that a compose file would start is named, with the variable that has its address', () => {
  const said = 'pymongo.errors.ServerSelectionTimeoutError: mongodb:27017: [Errno -2] Name or service not known (configured timeouts: …)';
  assert.match(
    unreached(said, [], ['LOG_LEVEL', 'MONGODB_URI']) ?? '',
    /expects a MongoDB at mongodb, .* under Variables \(MONGODB_URI\) and deploy/,
  );
  const cloud = 'getaddrinfo ENOTFOUND cluster0.abc.mongodb.net';
  assert.match(unreached(cloud) ?? '', /calls cluster0\.abc\.mongodb\.net, a name that is not known here/);
});

test('a host that a logger of JSON names is told', () =>
  assert.match(
    unreached('Failed to start bot: {"args":[{"errno":-3008,"code":"ENOTFOUND","syscall":"getaddrinfo","hostname":"chat.example"}]}') ?? '',
    /^It calls chat\.example, a name that is not known here\./,
  ));

test('the clients of model providers, which say only that there was no connection, are told apart from other errors', () => {
  const tail = ['openai._base_client - INFO - Retrying request to /responses in 0.4 seconds', 'Error: Connection error.'];
  assert.match(
    unreached('Error: Connection error.', tail) ?? '',
    /^It calls the API of a model provider, to which no connection came about\./,
  );
  assert.match(
    unreached('openai.APIConnectionError: Connection error.', ['openai.APIConnectionError: Connection error.']) ?? '',
    /model provider/,
  );
  assert.equal(unreached('Error: Connection error.', ['Error: Connection error.']), undefined);
});

test('a request that failed is told by the cause that is printed below it', () => {
  const tail = [
    "HttpError: Network request for 'setMyCommands' failed!",
    '  error: FetchError: request to https://api.telegram.org/bot1:none/setMyCommands failed, reason: getaddrinfo ENOTFOUND api.telegram.org',
    "    code: 'ENOTFOUND'",
  ];
  assert.match(unreached(tail[0], tail) ?? '', /^It calls api\.telegram\.org, which this machine does not reach/);
  const fetched = ['TypeError: fetch failed', '  [cause]: Error: getaddrinfo ENOTFOUND desk.example'];
  assert.match(unreached(fetched[0], fetched) ?? '', /^It calls desk\.example, a name that is not known here/);
  assert.equal(unreached('TypeError: fetch failed', ['TypeError: fetch failed']), undefined);
});
