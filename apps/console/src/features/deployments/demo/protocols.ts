import type { Protocol } from '@paddock/contract';
import type { SampleKind } from './plans.ts';

const post = (path: string, name: string) => ({ name, description: '', method: 'POST', path, fields: null, example: '' }) as const;
const plain = { name: '', version: '', description: '', items: [], more: 0 };
const prompt = '{\n  "prompt": "Hello! What can you do?"\n}';
const field = (name: string, description: string) => ({ name, type: 'string' as const, required: true, description, choices: [] });

/** The protocols of the demo's agents. */
const spoken: Partial<Record<SampleKind, Protocol[]>> = {
  fastapi: [
    { ...plain, kind: 'agentcore', path: '/invocations', items: [{ ...post('/invocations', 'POST /invocations'), example: prompt }] },
    {
      ...plain,
      kind: 'openapi',
      path: '/openapi.json',
      items: [{ ...post('/chat', 'POST /chat'), example: '{\n  "message": "Which orders are late?"\n}' }],
    },
  ],
  node: [
    { ...plain, kind: 'openai', path: '/v1/chat/completions', items: [post('/v1/chat/completions', 'demo')] },
    {
      ...{ ...plain, kind: 'a2a', path: '/a2a', name: 'Web scout', version: '0.3.0', description: 'Looks things up.' },
      items: [{ ...post('/a2a', 'Look up'), description: 'Finds pages about a subject.' }],
    },
    {
      ...{ ...plain, kind: 'mcp', path: '/mcp', name: 'scout', version: '2025-06-18' },
      items: [
        { ...post('/mcp', 'find_pages'), description: 'Find pages.', fields: [field('subject', 'What they are about')], example: '{}' },
        {
          ...post('/mcp', 'compare'),
          description: 'Compare two pages.',
          example: '{\n  "pages": [\n    {\n      "url": ""\n    }\n  ]\n}',
        },
      ],
    },
  ],
};

export const demoProtocols = (kind: SampleKind): Protocol[] => spoken[kind] ?? [];
