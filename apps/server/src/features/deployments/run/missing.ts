/** What an agent's last lines say that it misses: the reader of other people's error texts. */

const variable = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
/** Names in capitals that are codes of errors or settings of the languages themselves. */
const noVariable = /^(ERR|MODULE|NODE|NPM|PYTHON|UV|PIP|SSL|CERT|HTTP|E[A-Z]+)_|_ERR(OR)?$/;
const blames =
  /environ|\benv\b|variable|credential|api.?key|token|secret|not (?:set|found|defined|provided|configured)|missing|required|\bmust\b|undefined|empty|specify/i;
const maxNames = 5;

/** The agent writes the lines, so every pattern below sees a bounded number of them, and a bounded part of each. */
const maxLines = 60;
const maxLineLength = 2000;
const bounded = (tail: string[]) => tail.slice(-maxLines).map((line) => line.slice(0, maxLineLength));

/** Names of variables that it asks for, likeliest first. */
export function missingVariables(lines: string[]): string[] {
  const tail = bounded(lines);
  const text = tail.join('\n');
  const found = [...text.matchAll(/KeyError: '([A-Z][A-Z0-9_]{2,60})'/g)].map((match) => match[1]!);
  // Pydantic's settings name their fields, and read each from the variable of that name.
  if (/validation errors? for \w{0,60}(?:settings|config|env)/i.test(text))
    for (const match of text.matchAll(/^([A-Za-z]\w{1,60})\n[ \t]{1,40}Field required/gm)) found.push(match[1]!.toUpperCase());
  const said = tail.filter((line) => blames.test(line));
  const errors = said.filter((line) => /error|exception|missing|required/i.test(line));
  for (const line of [...errors, ...said]) {
    const names = [...line.matchAll(variable)].map((match) => match[0]).filter((name) => !noVariable.test(name));
    found.push(...(/\bor\b/.test(line) ? names.slice(0, 1) : names)); // any of several will do
  }
  return [...new Set(found)].slice(0, maxNames);
}

/** The package that brings a module, where their names differ. */
const packageOf: Record<string, string> = {
  dotenv: 'python-dotenv',
  bs4: 'beautifulsoup4',
  yaml: 'PyYAML',
  PIL: 'Pillow',
  cv2: 'opencv-python-headless',
  sklearn: 'scikit-learn',
  telegram: 'python-telegram-bot',
  discord: 'discord.py',
  jwt: 'PyJWT',
  dateutil: 'python-dateutil',
  fitz: 'PyMuPDF',
  'google.genai': 'google-genai',
  'google.adk': 'google-adk',
};

/** What is absent besides variables, as a cause with its next step; undefined when nothing says so. */
export function missingPart(lines: string[]): string | undefined {
  const text = bounded(lines).join('\n');
  const of = (pattern: RegExp) => pattern.exec(text)?.[1];
  const module = of(/(?:ModuleNotFoundError: No module named|Cannot find (?:module|package)) '([^']{1,200})'/);
  if (module !== undefined && /^[./]/.test(module))
    return `The file ${module} is not there: check "start" in paddock.yaml, and that the build makes it.`;
  if (module !== undefined)
    return packageOf[module] === undefined
      ? `The module '${module}' is missing: add it to the dependencies and deploy again.`
      : `The module '${module}' is missing: add ${packageOf[module]} to the dependencies and deploy again.`;
  const program = of(/(?:exec: |execvp |line \d{1,9}: )([\w./@-]{1,100}): (?:not found|No such file|command not found)/);
  if (program !== undefined)
    return `The program ${program} is not there: add the package that brings it to the dependencies, or correct "start" in paddock.yaml.`;
  const library = absentLibrary(text);
  if (library !== undefined)
    return `The system library ${library} is not on this machine: use a package that brings it along, or ask the operator to install it.`;
  const tool = of(/(?:No such file or directory: |spawn )'?(ffmpeg|git|docker|npx|uvx|chromium|google-chrome)\b/);
  if (tool !== undefined) return `The program ${tool} is not on this machine: do without it, or ask the operator to install it.`;
  if (/EOFError: EOF when reading a line/.test(text))
    return 'It asks for input on a terminal, which an agent here does not have: let it listen on $PORT, or read its input from variables.';
  return undefined;
}

/** `libGL.so.1` of `libGL.so.1: cannot open shared object file`. */
function absentLibrary(text: string): string | undefined {
  const end = text.indexOf(': cannot open shared object file');
  let start = end;
  while (start > 0 && /[\w.+-]/.test(text[start - 1] ?? '')) start -= 1;
  const name = text.slice(start, Math.max(start, end));
  return name.startsWith('lib') && name.includes('.so') && name.length <= 100 ? name : undefined;
}
