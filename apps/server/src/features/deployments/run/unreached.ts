import { addressPart } from '@paddock/contract/database-variables';

/** Detects network errors that ended an agent: variables are then not the cause. */

const noName =
  /Name or service not known|Temporary failure in name resolution|nodename nor servname|could not translate host name|Could not resolve host|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|no such host|"code":"(?:ENOTFOUND|EAI_AGAIN)"|NameResolutionError|Failed to resolve '/i;
/** The source's own words, without a system error. */
const noDatabase = /\b(?:connect|connection|reach)(?:ing)?(?: to)?(?: the| a| your)? (?:database|db|postgres(?:ql)?)\b/i;
const noAnswer = /Connection refused|ECONNREFUSED|Connect call failed/i;
/** Redis' answer to a client without a password, and redis-py's for it. */
const noLogin = /\bNOAUTH\b|redis\.exceptions\.AuthenticationError: Authentication required/;
/** PostgreSQL's errors where an extension is not installed, or its type is missing. */
const noExtension = /extension "([\w-]{1,63})" is not available/;
const noVectorType = /type "vector" does not exist/;
/** The whole of what the clients of OpenAI and Anthropic say of any failure on the way. */
const noConnection = /\bConnection error\.?$/;
const apiClient = /\b(?:openai|anthropic)[._/\\]|\bAPIConnectionError\b/;
const namedHost =
  /(?:ENOTFOUND|EAI_AGAIN|could not translate host name|Could not resolve host:|lookup|Failed to resolve|Cannot connect to host|host=|"hostname":) ?\\?["']?([A-Za-z0-9][\w.-]{0,200})/i;
/** The word before PyMongo's reason: `mongodb:27017: [Errno -2] Name or service not known`. */
const hostAsWord = /^([A-Za-z][\w.-]{0,200}):\d{2,5}:$/;
const namedPort = /(?:port |:|', )(\d{2,5})\b(?!\.\d)/g;
const databases: Record<string, string> = { '5432': 'PostgreSQL', '6379': 'Redis' };

/** Database clients, recognised by their files in a traceback. */
const clients: [pattern: RegExp, database: string][] = [
  [/[/\\](?:asyncpg|psycopg2?|psycopg_pool|pg8000|pg-pool|pg|postgres)[/\\]/, 'PostgreSQL'],
  [/[/\\](?:redis|aioredis|ioredis|@redis)[/\\]/, 'Redis'],
];
/** Hosts of services whose libraries do not name them in their errors. */
const services: [error: RegExp, host: string][] = [
  [/\btelegram\.error\.|\bTelegramNetworkError\b|\btelebot\b/, 'api.telegram.org'],
  [/\bdiscord\.(?:errors|gateway|http)\b/, 'discord.com'],
  [/\bslack_(?:sdk|bolt)\b/, 'slack.com'],
];
/** Hosts of well-known services: the source names them rightly. */
const publicServices =
  /(?:^|\.)(?:discord\.com|telegram\.org|slack\.com|openai\.com|anthropic\.com|googleapis\.com|google\.com|huggingface\.co|github\.com|githubusercontent\.com|groq\.com|mistral\.ai|cohere\.com|openrouter\.ai|pinecone\.io|tavily\.com|langchain\.com|amazonaws\.com|azure\.com|facebook\.com|whatsapp\.net|twilio\.com)$/i;
/** Servers that compose files start beside an agent, and that Paddock does not provide. */
const foreign = [
  'MongoDB',
  'Qdrant',
  'Milvus',
  'Weaviate',
  'Neo4j',
  'OpenSearch',
  'Elasticsearch',
  'MySQL',
  'RabbitMQ',
  'Kafka',
  'MinIO',
  'ChromaDB',
];
/** Ollama's default port (https://docs.ollama.com/faq). */
const ollamaPort = '11434';
const MAX_GIVEN = 6;
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 300;

/**
 * Sentences that name the unreachable host and what to do; undefined for other errors. `tail`: the lines around it. `asked`: names of
 * variables that the archive reads.
 */
export function unreached(said: string | undefined, tail: string[] = [], asked: readonly string[] = []): string | undefined {
  if (said === undefined) return undefined;
  const error = requests.test(said) && /\bfailed\b/i.test(said) ? (causeBelow(tail) ?? said) : said;
  if (isOllama(error)) return ollamaAbsent(asked);
  if (noLogin.test(error)) return passwordAbsent(asked);
  const [, extension] = noExtension.exec(error) ?? [];
  if (extension !== undefined) return extensionAbsent(extension);
  if (noVectorType.test(error)) return typeAbsent;
  if (noName.test(error)) {
    const host = namedHost.exec(error)?.[1] ?? wordWithPort(error);
    const service = findService(error, host);
    if (service !== undefined)
      return `It calls ${service}, which this machine does not reach: the name is not known here. Ask the operator whether agents may reach it.`;
    const others = foreign.find((name) => error.toLowerCase().includes(name.toLowerCase()));
    if (others !== undefined && !host?.includes('.'))
      return `It expects a ${others} at ${host ?? 'a name'}, which is not here: Paddock has databases of PostgreSQL and Redis alone. Set the address of one of yours under Variables${addressIn(asked, others)} and deploy again.`;
    return `It calls ${host === undefined ? 'a host whose name' : `${host}, a name that`} is not known here. Correct the address where it is set, in the source or under Variables, and deploy again; if the name is right, ask the operator whether agents may reach it.`;
  }
  if (noConnection.test(error) && tail.slice(-MAX_LINES).some((line) => apiClient.test(line.slice(0, MAX_LINE_LENGTH))))
    return 'It calls the API of a model provider, to which no connection came about. Ask the operator whether agents may reach that host, and check an address that its variables give.';
  const given = asked.some((name) => addressPart(name, 'postgresql') !== undefined);
  if (noDatabase.test(error) && given) return databaseAbsent('PostgreSQL', asked);
  if (!noAnswer.test(error)) return undefined;
  const isNamed = [...error.matchAll(namedPort)].map(([, port = '']) => databases[port]).find((name) => name !== undefined);
  const frames = tail.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const hasPort = [...error.matchAll(namedPort)].length > 0;
  const database = isNamed ?? (hasPort ? undefined : clients.find(([pattern]) => frames.some((line) => pattern.test(line)))?.[1]);
  return database === undefined
    ? 'Nothing answers at the address that it calls. Set the right one under Variables or in the source, and deploy again; other programs of the archive are not started beside it.'
    : databaseAbsent(database, asked);
}

/** Errors of requests that print their cause below: “Network request for 'getMe' failed!”, “TypeError: fetch failed”. */
const requests = /\b(?:network|request|fetch)\b/i;
const causeBelow = (tail: string[]) =>
  tail
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE_LENGTH))
    .findLast((line) => noName.test(line) && namedHost.test(line));

/** The host of a well-known service, which nobody has to correct. */
function findService(error: string, host: string | undefined): string | undefined {
  if (host === undefined) return services.find(([pattern]) => pattern.test(error))?.[1];
  return publicServices.test(host) ? host : undefined;
}

/** `asked`: those that a managed database would set are named. */
function databaseAbsent(database: string, asked: readonly string[]): string {
  const type = database === 'Redis' ? 'redis' : 'postgresql';
  const given = asked.filter((name) => addressPart(name, type) !== undefined).slice(0, MAX_GIVEN);
  const how = given.length > 0 ? `, which sets ${given.join(', ')}` : ` and let it read ${type === 'redis' ? 'REDIS_URL' : 'DATABASE_URL'}`;
  return `It expects a ${database} that is not there. Deploy with a database${how}, or set the address of one of yours under Variables.`;
}

function passwordAbsent(asked: readonly string[]): string {
  const password = asked.find((name) => addressPart(name, 'redis') === 'password');
  const where = password === undefined ? 'its source has no variable for it' : `${password} has none`;
  return `Redis wants a password, and ${where}. A Redis of Paddock is in REDIS_URL with its password: have the agent read that, or set ${password ?? 'the address of one of yours'} under Variables.`;
}

function extensionAbsent(name: string): string {
  const own =
    name === 'vector'
      ? 'Managed databases have pgvector unless the server cannot fetch it, which its log tells: ask the operator, or deploy with the address of a PostgreSQL of your own that has it.'
      : `Managed databases have those of PostgreSQL itself and pgvector: deploy with the address of a PostgreSQL of your own that has ${name}.`;
  return `It needs the PostgreSQL extension ${name}, which its database does not have. ${own}`;
}

/** The type of an extension that a database has, and that nothing has created in it. */
const typeAbsent =
  'Its database lacks the type vector: let the agent or a migration run “CREATE EXTENSION IF NOT EXISTS vector” first, which managed databases allow, and deploy again.';

const wordWithPort = (error: string) => error.split(/\s/).flatMap((word) => hostAsWord.exec(word)?.[1] ?? [])[0];

const isOllama = (error: string) =>
  /Failed to connect to Ollama/i.test(error) ||
  (noAnswer.test(error) && [...error.matchAll(namedPort)].some(([, port]) => port === ollamaPort));

function ollamaAbsent(asked: readonly string[]): string {
  const address = asked.find((name) => name.includes('OLLAMA') && /HOST|URL|BASE|ENDPOINT|ADDRESS/.test(name)) ?? 'OLLAMA_HOST';
  return `It calls Ollama, which does not run beside it: set ${address} under Variables to the address of one that it may reach, or have it use another provider of models, and deploy again.`;
}

/** The variable that probably holds the address, in parentheses. */
function addressIn(asked: readonly string[], server: string): string {
  const word = server.toUpperCase().replace(/DB$/, '');
  const found = asked.find((name) => name.includes(word) && /URI|URL|HOST|ENDPOINT|ADDRESS|CONNECTION/.test(name));
  return found === undefined ? '' : ` (${found})`;
}
