import { open } from 'node:fs/promises';
import { joinFieldErrors, type Policy, policies, readFields } from '@paddock/contract';
import { parse } from 'yaml';
import { messageOf, usage } from '../failures.ts';

export type WantedPolicy = Pick<Policy, 'name' | 'description' | 'type' | 'status' | 'rules'>;

const maxBytes = 1024 ** 2;
const maxPolicies = 100;

/** The policies in a file. Throws with the reason if they cannot be read. */
export async function readPolicies(path: string): Promise<WantedPolicy[]> {
  const parsed = parsedFile(await readPolicyText(path), path);
  const list = Array.isArray(parsed) ? parsed : (Object(parsed) as { policies?: unknown }).policies;
  if (!Array.isArray(list)) throw usage(`${path} has no list of policies.`);
  if (list.length > maxPolicies) throw usage(`${path} has more than ${maxPolicies} policies.`);
  const wanted = list.map((given, index) => parsePolicy(given, `${path}, policy ${index + 1}`));
  const twice = wanted.find(({ name }, index) => wanted.findIndex((other) => other.name === name) !== index);
  if (twice) throw usage(`${path} names the policy "${twice.name}" twice.`);
  return wanted;
}

async function readPolicyText(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxBytes) throw usage(`${path} is larger than a megabyte.`);
    return await file.readFile('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES') throw usage(`${path} cannot be read: ${messageOf(error)}`);
    throw error;
  }
}

/** YAML is a superset of JSON. */
function parsedFile(text: string, path: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10 });
  } catch (error) {
    throw usage(`${path} is neither YAML nor JSON: ${messageOf(error)}`);
  }
}

function parsePolicy(given: unknown, where: string): WantedPolicy {
  const fields = Object(given) as { rules?: unknown };
  const rules = Array.isArray(fields.rules) ? fields.rules.map(toRuleText) : fields.rules;
  const read = readFields(policies.create.input, { ...fields, rules });
  if ('data' in read) return read.data;
  throw usage(`${where}: ${joinFieldErrors(read.errors)}`);
}

/** Without quotes, YAML reads `Allowed environments: production` as an object with one field. */
function toRuleText(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const [entry, ...others] = Object.entries(given);
  if (!entry || others.length > 0 || typeof entry[1] === 'object') return given;
  return `${entry[0]}: ${String(entry[1])}`;
}
