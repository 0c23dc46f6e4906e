import type { LogLine } from '@paddock/contract';

type Level = LogLine['level'];

const words: Record<string, Level> = {
  trace: 'debug',
  debug: 'debug',
  verbose: 'debug',
  silly: 'debug',
  fine: 'debug',
  info: 'info',
  information: 'info',
  notice: 'info',
  log: 'info',
  success: 'info',
  http: 'info',
  warn: 'warning',
  warning: 'warning',
  error: 'error',
  err: 'error',
  severe: 'error',
  critical: 'error',
  crit: 'error',
  fatal: 'error',
  alert: 'error',
  emerg: 'error',
  emergency: 'error',
  panic: 'error',
};
const word = '(trace|debug|verbose|info|notice|warn(?:ing)?|error|err|crit(?:ical)?|fatal|panic|success)';
// Only a short prefix of time, brackets and logger names may precede the word. All patterns are anchored and bounded.
const prefix =
  /^[\s[(<]*(?:(?:\d{4}[-/]\d\d[-/]\d\d|\d\d\/\d\d\/\d{2,4})[T ]?)?(?:\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|\s?[+-]\d\d:?\d\d)?)?[\s\])>|-]*/;
/** A process, thread or logger name before the level: `[7] [INFO]` of gunicorn, `[main] INFO` of logback. */
const group = /^\[[\w .:#/-]{1,60}\]\s{0,4}/;
const maxGroups = 3;
const bracketed = new RegExp(`^[[(<|]\\s*${word}\\s*[\\])>|]`, 'i');
const leading = new RegExp(`^${word}\\s*(?:[:|\\]-]|\\s\\s|$)`, 'i');
const upper = /^(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b/;
const later = /^[\w.:/@-]{1,60}\s[\s|:[-]*(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b/; // `name - INFO - text`, Python's basicConfig with a name
const logfmt = new RegExp(`(?:^|\\s)(?:level|lvl|severity)="?${word}"?(?:\\s|$)`, 'i');
const klog = /^([IWEF])\d{4} \d\d:\d\d:\d\d/;
const python = /^(?:Traceback \(most recent call last\):|[A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt|Exit)(?::|$))/;
const node = /^(?:Uncaught |node:internal|\s{4}at .{1,200}:\d+:\d+\)?$|[A-Z]\w{0,60}Error(?: \[[A-Z_0-9]+\])?: )/;
const npm = /^npm (warn|error|notice)\b/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with ESC
const colours = /\u001b\[[0-9;]{0,32}m/g;

/** Stderr output that is no error: lines of a logger that names no level, progress bars, and the addresses that Flask prints. */
const harmless = /^(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\s{0,4}(?:[\w .:-]{1,40}:\s{1,2})?\d{1,3}%\|| \* )/;

/** The level of an agent's line: the level named in the line, else error for stderr and info for stdout. */
export const agentLevel = (line: string, stream: 'stdout' | 'stderr'): Level =>
  parseLevel(line) ?? (stream === 'stderr' && !harmless.test(line.slice(0, 400).replace(colours, '')) ? 'error' : 'info');

/** Installers write progress to stderr, so only a level named in the line counts here. */
export const buildLevel = (line: string): Level => parseLevel(line) ?? 'info';

function parseLevel(raw: string): Level | undefined {
  const line = raw.slice(0, 400).replace(colours, '');
  if (line.startsWith('{')) return jsonLevel(raw) ?? logfmtLevel(line);
  const rest = line.replace(prefix, '');
  const hit = wordBehindGroups(rest) ?? bracketed.exec(line)?.[1] ?? later.exec(rest)?.[1] ?? npm.exec(line)?.[1];
  if (hit) return words[hit.toLowerCase()];
  const letter = klog.exec(line)?.[1];
  if (letter) return ({ I: 'info', W: 'warning', E: 'error', F: 'error' } as const)[letter as 'I'];
  if (/^\(node:\d+\) /.test(line) || /^.{0,300}:\d+: \w*Warning: /.test(line)) return 'warning';
  if (python.test(line) || node.test(line)) return 'error';
  return logfmtLevel(line);
}

function wordBehindGroups(text: string): string | undefined {
  let rest = text;
  for (let groups = 0; groups <= maxGroups; groups++) {
    const hit = bracketed.exec(rest)?.[1] ?? leading.exec(rest)?.[1] ?? upper.exec(rest)?.[1];
    if (hit !== undefined || !group.test(rest)) return hit;
    rest = rest.replace(group, '');
  }
  return undefined;
}

const logfmtLevel = (line: string) => words[logfmt.exec(line)?.[1]?.toLowerCase() ?? ''];

/** pino and bunyan use numbers (30 is info), others use names. */
function jsonLevel(line: string): Level | undefined {
  let value: unknown;
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    value = record.level ?? record.severity ?? record.levelname ?? record.lvl ?? record['log.level'];
  } catch {
    return undefined; // not JSON after all: parsed as text
  }
  if (typeof value === 'number') return numberedLevel(value);
  return typeof value === 'string' ? words[value.toLowerCase()] : undefined;
}

function numberedLevel(value: number): Level {
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  return value >= 30 ? 'info' : 'debug';
}
