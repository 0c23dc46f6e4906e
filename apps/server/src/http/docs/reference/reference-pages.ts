import type { Contract, contract as WholeContract } from '@paddock/contract';
import type { Frame } from '../frame.ts';
import type { OpenApi } from '../openapi.ts';
import { templateOf } from '../operation.ts';
import type { Schema } from '../schema.ts';
import { type Call, callName, callSection } from './call.ts';
import { everyCallsErrors } from './call-errors.ts';
import { code, fieldList, listFields, prose } from './fields.ts';
import { groups, pathOf } from './groups.ts';
import { namedSchemas, schemasPath } from './named-schemas.ts';

interface Deps {
  document: OpenApi;
  contract: Contract;
  publicUrl: string;
  frame: Frame;
}

type GroupName = keyof typeof WholeContract;

const overviewPath = '/docs';

/**
 * The pages of the reference by their addresses: an overview of all calls, a page for each group of calls, and one for the schemas. A single page
 * with all calls would be 200 kB, of which a reader needs a tenth.
 */
export function referencePages({ document, contract, publicUrl, frame }: Deps): Map<string, string> {
  const { shown, sections } = namedSchemas(document);
  const calls = collectCalls(contract, document);
  const page = (title: string, text: string) =>
    frame({ title: `${title} · API reference`, entry: overviewPath, isPart: true }, `${trail(title)}${text}${otherPages(title)}`);
  const pages = new Map([[overviewPath, frame({ title: 'API reference', entry: overviewPath }, overview(document, calls, publicUrl))]]);
  for (const [name, ofGroup] of calls) {
    const texts = ofGroup.map((call) => callSection({ ...call, operation: shown(call.operation) }, publicUrl));
    pages.set(pathOf(name), page(groups[name].title, `${groupHead(name, ofGroup)}${texts.join('')}`));
  }
  return pages.set(schemasPath, page(schemasTitle, schemasText(sections)));
}

/** The addresses of these pages, known before the pages are rendered. */
export const referencePaths = (contract: Contract): string[] => [
  overviewPath,
  ...(Object.keys(contract) as GroupName[]).map(pathOf),
  schemasPath,
];

const schemasTitle = 'Schemas';

function schemasText(schemas: [string, Schema][]): string {
  const links = schemas.map(([name]) => `<li><a href="#${name}">${name}</a></li>`);
  const sections = schemas.map(([name, schema]) => {
    const heading = `<h2 id="${name}"><a href="#${name}">${name}</a></h2>`;
    return `<section aria-labelledby="${name}">${heading}${fieldList(listFields(schema, false))}</section>`;
  });
  return `<h1>${schemasTitle}</h1><p>The objects that calls answer with.</p><ul>${links.join('')}</ul>${sections.join('')}`;
}

function collectCalls(contract: Contract, document: OpenApi): Map<GroupName, Call[]> {
  const calls = new Map<GroupName, Call[]>();
  for (const [group, routes] of Object.entries(contract) as [GroupName, Contract[string]][]) {
    const ofGroup = Object.entries(routes).map(([anchor, route]) => {
      const path = templateOf(route.path);
      return { anchor, path, route, operation: document.paths[path]![route.method.toLowerCase()]! };
    });
    calls.set(group, ofGroup);
  }
  return calls;
}

function overview({ info }: OpenApi, calls: Map<GroupName, Call[]>, publicUrl: string): string {
  const lists = [...calls].map(([name, ofGroup]) => {
    const links = ofGroup.map(
      (call) => `<li><a href="${pathOf(name)}#${call.anchor}">${callName(call)}</a> <span>${prose(call.operation.summary)}</span></li>`,
    );
    return `<h2><a href="${pathOf(name)}">${groups[name].title}</a></h2><ul class="calls">${links.join('')}</ul>`;
  });
  return `<h1>API reference</h1>
<p>${prose(info.description)}</p>
<p>All paths begin with ${code(`${publicUrl}/api/v1`)}. A token is sent as ${code('Authorization: Bearer TOKEN')}.</p>
<ul>
<li><a href="/docs/api">Guide to the API</a>: sign-in, a first deployment, errors, pages and repeated requests, with examples</li>
<li><a href="/docs/api-streams">Streams and downloads</a>, such as live logs over a WebSocket</li>
<li><a href="/docs/scopes">Scopes</a> of API keys, <a href="/docs/errors">errors</a> and <a href="${schemasPath}">schemas</a></li>
<li><a href="/api/v1/openapi.json">OpenAPI document</a> for tools, of version ${code(info.version)}</li>
</ul>
${lists.join('\n')}`;
}

function groupHead(name: GroupName, calls: Call[]): string {
  const { title, guide } = groups[name];
  const links = calls.map((call) => `<li><a href="#${call.anchor}">${callName(call)}</a></li>`);
  const live = name === 'logs' ? '<p>New lines come over a WebSocket: <a href="/docs/api-streams#live-logs">live logs</a>.</p>' : '';
  const always = everyCallsErrors.map((each) => `<a href="/docs/errors#${each}">${code(each)}</a>`).join(', ');
  return `<h1>${title}</h1><p><a href="${guide}">How these calls work together</a>, with examples.</p>${live}<ul class="calls">${links.join('')}</ul>
<p>Besides the errors that it names, a call may be answered with ${always}.</p>`;
}

const trail = (title: string) => `<p class="trail"><a href="${overviewPath}">API reference</a> / ${title}</p>`;

function otherPages(title: string): string {
  const pages = (Object.keys(groups) as GroupName[]).map((name) => ({ path: pathOf(name), title: groups[name].title }));
  pages.push({ path: schemasPath, title: schemasTitle });
  const links = pages.map((page) => `<a href="${page.path}"${page.title === title ? ' aria-current="page"' : ''}>${page.title}</a>`);
  return `<nav class="others" aria-label="API reference">${links.join(' ')}</nav>`;
}
