import { unquoted, withoutComment } from '../line-parts.ts';
import type { SourceTree } from '../source-tree.ts';
import { isPlaceholder, isReadable, isSecret, type Mention } from './mention.ts';

/** Examples of environment files. */
export const exampleFile =
  /(^|\/)(\.?env[._-](example|sample|template|dist|defaults?|tpl)|(example|sample|template|config|dotenv)[._-]env(\.example)?|\.?env\.\w{1,30}\.(example|sample|template))(\.txt)?$/i;
const maxFiles = 4;
const maxLines = 2000;
const maxLineLength = 2000;

/** Variables that example files of the archive name. If there are several files, only those nearest to the root are read. */
export function namedByExamples(tree: SourceTree): Mention[] {
  const files = tree.files.filter((file) => exampleFile.test(file) && depth(file) <= 2);
  const top = Math.min(...files.map(depth));
  const nearest = files.filter((file) => depth(file) === top).slice(0, maxFiles);
  const hasPlain = nearest.some((file) => !isVariant(file));
  return nearest.flatMap((file) => {
    const mentions = readExample(tree.read(file) ?? '', file);
    // The plain example is the one to copy; another way to run the agent may need more.
    return hasPlain && isVariant(file) ? mentions.map((one) => ({ ...one, need: 'default' as const })) : mentions;
  });
}

/** `.env.keycloak.sample`, `.env.test.example` */
const variant = /(?:^|\/)\.?env\.(\w{1,30})\.(?:example|sample|template)$/i;
const isVariant = (file: string) => !['', 'local'].includes((variant.exec(file)?.[1] ?? '').toLowerCase());

const depth = (file: string) => file.split('/').length;

/** `# =====`: two of them are a banner around the title of a section. */
const rule = /^#\s{0,3}(?:={5,}|-{5,}|\*{5,}|#{4,})$/;

/** Reads a file's comments for the title of the current section, which holds until the next banner. */
function sectionReader(): (line: string) => string {
  let section = '';
  let title: string | undefined;
  return (line) => {
    if (!line.startsWith('#')) title = undefined;
    else if (!rule.test(line)) title = title === undefined ? undefined : `${title} ${line}`.slice(0, maxLineLength);
    else if (title === undefined || title === '') title = '';
    else {
      section = title;
      title = undefined;
    }
    return section;
  };
}

const demanding = /\brequired\b|\bmandatory\b|\bmust\b/i;
/** “Required if LLM_PROVIDER is azure”, “only needed for …” */
const conditional = /\b(?:required|needed|necessary) (?:only )?(?:if|when|unless)\b|\bonly (?:required|needed|necessary|if|when)\b/i;

// A comment applies to the lines below it, up to the next comment.
function readExample(source: string, file: string): Mention[] {
  const found: Mention[] = [];
  let comment = '';
  let isInComment = false;
  const readSection = sectionReader();
  for (const [index, whole] of source.split('\n', maxLines).entries()) {
    const line = whole.slice(0, maxLineLength).trim();
    const off = line.startsWith('#');
    const section = readSection(line);
    const named = assignmentIn(off ? line.slice(1).trimStart() : line);
    // “# Higher = slower” is prose.
    if (off && (named === null || /[a-z]/.test(named.name))) {
      comment = isInComment ? `${comment} ${line}`.slice(0, maxLineLength) : line;
      isInComment = true;
      continue;
    }
    isInComment = false;
    if (named === null || !isReadable(named.name)) continue;
    const isOfOptional = /\boptional/i.test(section) && !/\brequired\b/i.test(comment);
    const isCalledOptional = (/\boptional/i.test(comment) || isOfOptional) && !/\brequired\b/i.test(named.comment);
    const isConditional = conditional.test(`${comment} ${named.comment}`);
    const isOptional = off || /\boptional/i.test(named.comment) || isCalledOptional || isConditional;
    const place = { name: named.name, at: `${file}:${index + 1}` };
    const isDemanded = !isOptional && demanding.test(`${named.comment} ${comment} ${section}`);
    const said = { ...(isOptional && !off ? { isOptional } : {}), ...(isDemanded ? { isDemanded } : {}) };
    found.push({ ...place, ...detectNeed(named, isOptional), ...said });
  }
  return found;
}

function detectNeed({ name, value }: { name: string; value: string }, isOptional: boolean): Pick<Mention, 'need' | 'value'> {
  // The key or password in an example belongs to somebody else, or is empty.
  const isNone = isPlaceholder(value) || isSecret(name) || /:\/\/[^/]{0,200}@/.test(value);
  if (!isNone) return { need: 'default', value };
  const driver = driverIn(value);
  return { need: isOptional ? 'default' : 'open', ...(driver === undefined ? {} : { value: driver }) };
}

/** The driver for SQLAlchemy is worth keeping from an address whose login and host belong to somebody else. */
const driverIn = (value: string) => /^postgres(?:ql)?\+[a-z0-9]{2,20}:\/\//.exec(value)?.[0];

/** The name, value and comment of a line such as `export A_KEY="value" # comment`. */
export function assignmentIn(line: string): { name: string; value: string; comment: string } | null {
  const equals = line.indexOf('=');
  if (equals === -1) return null;
  const words = line.slice(0, equals).trim().split(/\s+/);
  if (words.length === 2 && words[0] === 'export') words.shift();
  if (words.length !== 1) return null;
  const rest = line.slice(equals + 1).trim();
  const plain = withoutComment(rest);
  return { name: words[0]!, value: unquoted(plain.trim()).trim(), comment: rest.slice(plain.length) };
}
