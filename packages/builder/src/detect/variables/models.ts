import type { Mention } from './mention.ts';

/** Libraries that create a client from a full model name, such as `anthropic:claude-haiku`, by the separator between provider and model. */
const libraries: [separator: ':' | '/', packages: string[]][] = [
  [':', ['pydantic-ai', 'pydantic-ai-slim', 'langchain']],
  ['/', ['litellm', 'crewai', 'dspy', 'dspy-ai', '@mastra/core']],
];

/** The variables that these libraries read, by provider. Any one of them is enough. */
const keys: Record<string, [string, ...string[]]> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  groq: ['GROQ_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  cohere: ['COHERE_API_KEY', 'CO_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  'google-gla': ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
};

const modelName = /["'`](openai|anthropic|groq|mistral|cohere|gemini|google-gla|openrouter|deepseek)([:/])[A-Za-z][\w./-]{1,60}["'`]/g;

/**
 * The key of the provider whose models the source names. If the source names several providers, it is unknown which one is used, so no key
 * is required. `known`: variables that the archive reads or names itself.
 */
export function keysOfModels(packages: Set<string>, { known, sources }: { known: Set<string>; sources: string[] }): Mention[] {
  const found = new Map<string, string>();
  for (const [separator, names] of libraries) {
    const library = names.find((name) => packages.has(name));
    if (library === undefined) continue;
    for (const source of sources)
      for (const [, provider = '', between] of source.matchAll(modelName)) if (between === separator) found.set(provider, library);
  }
  return [...found].map(([provider, library]) => {
    const names = keys[provider]!;
    const name = names.find((one) => known.has(one)) ?? names[0];
    return { name, at: `package ${library}`, need: found.size === 1 ? 'required' : 'default' };
  });
}
