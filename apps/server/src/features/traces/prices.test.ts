import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPriceLookup } from './prices.ts';

/** A million tokens of input cost the input price. */
const usage = { input_tokens: 1_000_000, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 0 };
const inputPrice = (model: string) => createPriceLookup([])(model, usage);

/** Names used by providers, clouds and libraries, grouped by model. */
const names: Record<string, string[]> = {
  'gpt-4o': [
    'gpt-4o',
    'GPT-4o',
    'openai/gpt-4o',
    'openai:gpt-4o',
    'azure/gpt-4o',
    'gpt-4o-2024-08-06',
    'azure:gpt-4o-2024-11-20',
    'gpt-4o-latest',
  ],
  'gpt-4o-mini': ['gpt-4o-mini-2024-07-18', 'openrouter/openai/gpt-4o-mini', 'openai:gpt-4o-mini'],
  'gpt-4.1': ['gpt-4.1', 'gpt-4-1', 'gpt-4.1-2025-04-14', 'openai/gpt-4.1', 'azure/gpt-4.1'],
  'gpt-4.1-mini': ['gpt-4.1-mini-2025-04-14', 'gpt-4-1-mini'],
  'gpt-5': ['gpt-5-2025-08-07', 'openai:gpt-5'],
  'gpt-5.1': ['gpt-5.1-2025-11-13', 'gpt-5-1'],
  'gpt-5.4-mini': ['openai/gpt-5.4-mini'],
  'o4-mini': ['o4-mini-2025-04-16', 'azure/o4-mini'],
  'text-embedding-3-small': ['openai/text-embedding-3-small', 'openai:text-embedding-3-small'],
  'claude-sonnet-4-5': [
    'claude-sonnet-4-5-20250929',
    'claude-sonnet-4.5',
    'anthropic/claude-sonnet-4.5',
    'anthropic:claude-sonnet-4-5',
    'claude-4.5-sonnet',
    'claude-4-5-sonnet-20250929',
    'claude-sonnet-4-5@20250929',
    'claude-sonnet-4-5[1m]',
    'vertex_ai/claude-sonnet-4-5@20250929',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock:apac.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'claude-sonnet-4-5-latest',
  ],
  'claude-opus-4-5': ['claude-opus-4-5-20251101', 'claude-opus-4.5', 'jp.anthropic.claude-opus-4-5-20251101-v1:0'],
  'claude-opus-4-1': ['claude-opus-4-1-20250805', 'anthropic/claude-opus-4.1'],
  'claude-haiku-4-5': ['claude-haiku-4-5-20251001', 'claude-haiku-4-5@default', 'au.anthropic.claude-haiku-4-5-20251001-v1:0'],
  'gemini-2.5-pro': [
    'gemini-2.5-pro',
    'models/gemini-2.5-pro',
    'google-gla:gemini-2.5-pro',
    'gemini-2.5-pro-preview-05-06',
    'vertex_ai/gemini-2.5-pro',
  ],
  'gemini-2.5-flash': [
    'google/gemini-2.5-flash',
    'gemini-2.5-flash-preview-09-2025',
    'gemini/gemini-2.5-flash-preview-05-20',
    'google-vertex:gemini-2.5-flash',
  ],
  'gemini-2.0-flash': ['gemini-2.0-flash-001', 'models/gemini-2.0-flash-001', 'gemini/gemini-2.0-flash'],
};

test('a model has its price under the names of providers, clouds and libraries', () => {
  const wrong = Object.entries(names).flatMap(([model, written]) => {
    const price = inputPrice(model);
    assert.notEqual(price, null, model);
    return written.filter((name) => inputPrice(name) !== price);
  });
  assert.deepEqual(wrong, []);
  assert.ok(Object.values(names).flat().length >= 60);
});

test('a model whose price is not known has none, however near its name comes to another', () => {
  const unknown = [
    'gpt-4o-audio-preview',
    'gpt-4o-mini-search-preview',
    'gpt-4-1106-preview',
    'chatgpt-4o-latest',
    'ft:gpt-4o-2024-08-06:desk::abc',
    'claude-3-5-sonnet-20241022',
    'gemini-2.5-flash-image-preview',
    'gemini-2.5-pro-exp-03-25',
    'llama3:8b',
    'o3-mini',
    '',
  ];
  assert.deepEqual(
    unknown.filter((name) => inputPrice(name) !== null),
    [],
  );
});

test('a team’s own price counts before the default, under each of its names', () => {
  const own = { model: 'gpt-4.1', input_usd: 7, cached_input_usd: null, cache_write_usd: null, output_usd: 9 };
  const price = createPriceLookup([own, { ...own, model: 'desk/own-model:2', input_usd: 11 }]);
  assert.deepEqual([price('openai:gpt-4.1-2025-04-14', usage), price('GPT-4.1', usage), price('desk/own-model:2', usage)], [7, 7, 11]);
});
