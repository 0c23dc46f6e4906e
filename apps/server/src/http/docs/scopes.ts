import { type Contract, type Route, type Scope, scopes } from '@paddock/contract';
import { table } from './table.ts';

/** The sentence about the required access in the documents. */
export function accessSentence(access: Route['access']): string {
  if (access === 'public') return 'Needs no token.';
  if (access === 'session') return 'Needs a session; an API key may not.';
  if (access === 'any') return 'Needs a session or any live API key.';
  return `Needs a session, or an API key with the scope \`${access}\`.`;
}

interface Row {
  title: string;
  calls: { call: string; summary: string }[];
}

/** Every call of the contract under its required scope; then those that need none. */
function listRows(contract: Contract): Row[] {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  const calls = (access: Route['access']) =>
    routes
      .filter((route) => route.access === access || route.of_others === access)
      .map(({ method, path, summary }) => ({ call: `${method} ${path.replace(/:(\w+)/g, '{$1}')}`, summary }));
  return [
    ...(Object.keys(scopes) as Scope[]).map((scope) => ({ title: `\`${scope}\` (${scopes[scope]})`, calls: calls(scope) })),
    { title: 'Any live API key', calls: calls('any') },
    { title: 'Sessions alone, no API key', calls: calls('session') },
    { title: 'No token', calls: calls('public') },
  ];
}

const introduction = [
  'An API key may do what its scopes name, and nothing else. A session may do all. What a key lacks is answered 403 `scope_missing`, and the answer names the scope;',
  'a call that is for sessions alone is answered 403 `session_needed`.',
];
const none = 'No call asks for it.';

/** The text of `docs/scopes.md`. */
export function scopesMarkdown(contract: Contract): string {
  const sections = listRows(contract).map(({ title, calls }) =>
    [
      `## ${title}`,
      '',
      ...(calls.length ? table([['Call', 'What it does'], ...calls.map(({ call, summary }) => [`\`${call}\``, summary])]) : [none]),
      '',
    ].join('\n'),
  );
  return `# Scopes of API keys\n\n${introduction.join('\n')}\n\nThis page is made from the contract; a test holds it true.\n\n${sections.join('\n')}`;
}
