import type { LogicalLine, Token } from '../../python/tokens.ts';

const reader = /^(?:getenv|get|(?:[a-z]{1,20}_)?env(?:_[a-z]{1,20})?)$/;
const isOff = (text: string | undefined) => /^(?:false|0|no|off)$/i.test(text ?? '');
const isOn = (text: string | undefined) => /^(?:true|1|yes|on)$/i.test(text ?? '');

/**
 * Indices of the lines that run only if a flag is set to true which is false by default: `if os.getenv("USE_GRAPH", "false") == "true":`, or
 * a choice is another than its default: `if DB_TYPE == "mysql":` after `DB_TYPE = os.getenv("DB_TYPE", "sqlite")`.
 */
export function disabledLines(lines: LogicalLine[]): Set<number> {
  const found = new Set<number>();
  /** Names that hold such a flag. */
  const flags = new Set<string>();
  /** Names that hold a choice, with its default. */
  const choices = new Map<string, string>();
  for (const [index, { tokens, indent }] of lines.entries()) {
    const [first, second] = [tokens[0]?.text ?? '', tokens[1]?.text ?? ''];
    if (second === '=') {
      if (isFlag(tokens.slice(2))) flags.add(first);
      else flags.delete(first);
      const value = tokens[2]?.text === '=' ? undefined : defaultChoice(tokens.slice(2));
      // A name that is given twice may hold either value.
      if (value !== undefined && !choices.has(first) && indent === 0) choices.set(first, value);
      else if (tokens[2]?.text !== '=' && choices.has(first)) choices.set(first, '');
    }
    const isDisabled = first === 'if' && ((tokens[2]?.text === ':' && flags.has(second)) || isFlag(tokens.slice(1, -1)));
    if (!(isDisabled || isOtherChoice(tokens, choices)) || tokens.at(-1)?.text !== ':') continue;
    for (let at = index + 1; at < lines.length && lines[at]!.indent > indent; at++) found.add(at);
  }
  return found;
}

/** The default of `os.getenv("DB_TYPE", "sqlite").lower()`. */
function defaultChoice(tokens: Token[]): string | undefined {
  const texts = tokens.slice(0, 30).map(({ text }) => text);
  const open = texts.indexOf('(');
  const isRead =
    reader.test(texts[open - 1] ?? '') && texts[open + 2] === ',' && tokens[open + 3]?.kind === 'string' && texts[open + 4] === ')';
  return isRead && /^(?:\. (?:lower|strip) \( \) ?){0,2}$/.test(texts.slice(open + 5).join(' ')) ? texts[open + 3] : undefined;
}

/** `if DB_TYPE == "mysql":`, also with `elif`, where the default is another word. */
function isOtherChoice(tokens: Token[], choices: Map<string, string>): boolean {
  const [word, name, one, two, value, colon] = tokens;
  const chosen = choices.get(name?.text ?? '') ?? '';
  const isPlain = /^(?:el)?if$/.test(word?.text ?? '') && one?.text === '=' && two?.text === '=' && value?.kind === 'string';
  return isPlain && colon?.text === ':' && chosen !== '' && value.text.toLowerCase() !== chosen.toLowerCase();
}

/** `os.getenv("USE_GRAPH", "false").lower() == "true"`, without other conditions. */
function isFlag(tokens: Token[]): boolean {
  const texts = tokens.slice(0, 30).map(({ text }) => text);
  const open = texts.indexOf('(');
  const isRead = reader.test(texts[open - 1] ?? '') && texts[open + 2] === ',' && isOff(texts[open + 3]) && texts[open + 4] === ')';
  if (!isRead || texts.some((text) => ['or', 'and', 'not', 'if'].includes(text))) return false;
  const rest = texts.slice(open + 5).join(' ');
  const [, value] = /^(?:\. (?:lower|strip) \( \) ){0,2}= = (\w{1,5})$/.exec(rest) ?? [];
  const [, values = ''] = /^(?:\. (?:lower|strip) \( \) ){0,2}in [([{] ([\w ,]{1,60}) [)\]}]$/.exec(rest) ?? [];
  return isOn(value) || values.split(' , ').some(isOn);
}
