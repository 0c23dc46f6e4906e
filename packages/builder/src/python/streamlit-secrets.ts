import type { Token } from './tokens.ts';

/** A secret that a Streamlit app reads by one name: `st.secrets["openai_key"]`, `st.secrets.openai_key`, `st.secrets.get("openai_key")`. */
export interface SecretRead {
  name: string;
  /** The app works without it. */
  isOptional: boolean;
  token: Token;
}

const methods = new Set(['to_dict', 'keys', 'values', 'items', 'load_if_toml_exists', 'has_key']);

/** Finds the secrets that are read. Sections (`st.secrets["db"]["user"]`) are left out: a variable has no parts. */
export function secretReads(tokens: Token[]): SecretRead[] {
  const found: SecretRead[] = [];
  const text = (at: number) => tokens[at]?.text;
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'secrets' || text(at - 1) !== '.' || !['st', 'streamlit'].includes(text(at - 2) ?? '')) continue;
    const isGet = text(at + 1) === '.' && text(at + 2) === 'get' && text(at + 3) === '(';
    const isItem = text(at + 1) === '[' && text(at + 3) === ']';
    const named = isGet ? at + 4 : at + 2;
    const name = text(named) ?? '';
    const isName = isGet || isItem ? tokens[named]?.kind === 'string' : text(at + 1) === '.' && tokens[named]?.kind === 'name';
    const end = isItem ? at + 4 : at + 3;
    const isSection = !isGet && (text(end) === '[' || (text(end) === '.' && text(end + 2) !== '('));
    if (isName && !isSection && !methods.has(name) && /^[A-Za-z]\w{1,63}$/.test(name)) found.push({ name, isOptional: isGet, token });
  }
  return found;
}
