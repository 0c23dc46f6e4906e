/** Packages that read a variable themselves, with the names from their documentation. Any one of `names` is enough. */
export interface Client {
  names: [string, ...string[]];
  /** Name of the package in Python or Node → the name that source imports. */
  packages: Record<string, string>;
}

export const clients: Client[] = [
  {
    names: ['OPENAI_API_KEY'],
    packages: {
      openai: 'openai',
      'langchain-openai': 'langchain_openai',
      'openai-agents': 'agents',
      'llama-index-llms-openai': 'llama_index.llms.openai',
      '@langchain/openai': '@langchain/openai',
      '@ai-sdk/openai': '@ai-sdk/openai',
      '@openai/agents': '@openai/agents',
    },
  },
  {
    names: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    packages: {
      anthropic: 'anthropic',
      'langchain-anthropic': 'langchain_anthropic',
      'claude-agent-sdk': 'claude_agent_sdk',
      '@anthropic-ai/sdk': '@anthropic-ai/sdk',
      '@langchain/anthropic': '@langchain/anthropic',
      '@ai-sdk/anthropic': '@ai-sdk/anthropic',
    },
  },
  {
    names: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    packages: {
      'google-genai': 'google.genai',
      'google-generativeai': 'google.generativeai',
      'langchain-google-genai': 'langchain_google_genai',
      'google-adk': 'google.adk',
      '@google/genai': '@google/genai',
      '@langchain/google-genai': '@langchain/google-genai',
    },
  },
  { names: ['GOOGLE_GENERATIVE_AI_API_KEY'], packages: { '@ai-sdk/google': '@ai-sdk/google' } },
  {
    names: ['MISTRAL_API_KEY'],
    packages: { mistralai: 'mistralai', 'langchain-mistralai': 'langchain_mistralai', '@mistralai/mistralai': '@mistralai/mistralai' },
  },
  {
    names: ['GROQ_API_KEY'],
    packages: { groq: 'groq', 'langchain-groq': 'langchain_groq', 'groq-sdk': 'groq-sdk', '@ai-sdk/groq': '@ai-sdk/groq' },
  },
  {
    names: ['CEREBRAS_API_KEY'],
    packages: {
      'cerebras-cloud-sdk': 'cerebras.cloud.sdk',
      'langchain-cerebras': 'langchain_cerebras',
      '@cerebras/cerebras_cloud_sdk': '@cerebras/cerebras_cloud_sdk',
      '@ai-sdk/cerebras': '@ai-sdk/cerebras',
    },
  },
  {
    names: ['COHERE_API_KEY', 'CO_API_KEY'],
    packages: { cohere: 'cohere', 'langchain-cohere': 'langchain_cohere', 'cohere-ai': 'cohere-ai' },
  },
  {
    names: ['TAVILY_API_KEY'],
    packages: { 'tavily-python': 'tavily', 'langchain-tavily': 'langchain_tavily', '@tavily/core': '@tavily/core' },
  },
  { names: ['PINECONE_API_KEY'], packages: { pinecone: 'pinecone', '@pinecone-database/pinecone': '@pinecone-database/pinecone' } },
  { names: ['REPLICATE_API_TOKEN'], packages: { replicate: 'replicate' } },
  { names: ['TOGETHER_API_KEY'], packages: { together: 'together', 'langchain-together': 'langchain_together' } },
  { names: ['FIREWORKS_API_KEY'], packages: { 'fireworks-ai': 'fireworks', 'langchain-fireworks': 'langchain_fireworks' } },
  {
    names: ['ELEVENLABS_API_KEY', 'ELEVEN_API_KEY'],
    packages: { elevenlabs: 'elevenlabs', '@elevenlabs/elevenlabs-js': '@elevenlabs/elevenlabs-js' },
  },
  { names: ['FIRECRAWL_API_KEY'], packages: { 'firecrawl-py': 'firecrawl', '@mendable/firecrawl-js': '@mendable/firecrawl-js' } },
  { names: ['VOYAGE_API_KEY'], packages: { voyageai: 'voyageai', 'langchain-voyageai': 'langchain_voyageai' } },
  {
    names: ['E2B_API_KEY'],
    packages: { e2b: 'e2b', 'e2b-code-interpreter': 'e2b_code_interpreter', '@e2b/code-interpreter': '@e2b/code-interpreter' },
  },
];
