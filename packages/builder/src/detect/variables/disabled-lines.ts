import type { LogicalLine, Token } from '../../python/tokens.ts';

const reader = /^(?:getenv|get|(?:[a-z]{1,20}_)?env(?:_[a-z]{1,20})?)$/;
const isOff = (text: string | undefined) => /^(?:false|0|no|off)$/i.test(text ?? '');
const isOn = (text: string | undefined) => /^(?:true|1|yes|on)$/i.test(text ?? '');

/** Indices of the lines that run only if a flag is set to true which is false by default: `if os.getenv("USE_GRAPH", "false") == "true":`. */
export function disabledLines(lines: LogicalLine[]): Set<number> {
  const found = new Set<number>();
  /** Names that hold such a flag. */
  const flags = new Set<string>();
  for (const [index, { tokens, indent }] of lines.entries()) {
    const [first, second] = [tokens[0]?.text ?? '', tokens[1]?.text ?? ''];
    if (second === '=') {
      if (isFlag(tokens.slice(2))) flags.add(first);
      else flags.delete(first);
    }
    const isDisabled = first === 'if' && ((tokens[2]?.text === ':' && flags.has(second)) || isFlag(tokens.slice(1, -1)));
    if (!isDisabled || tokens.at(-1)?.text !== ':') continue;
    for (let at = index + 1; at < lines.length && lines[at]!.indent > indent; at++) found.add(at);
  }
  return found;
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
