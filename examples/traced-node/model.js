// A model that is a script: it answers the OpenAI client without key and network, the same way every time.

const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150, prompt_tokens_details: { cached_tokens: 20 } };

/** What the client calls instead of the network: first it wants a tool, then it answers with the tool's result. */
export async function scripted(_url, { body }) {
  const { model, messages } = JSON.parse(body);
  const result = messages.findLast((message) => message.role === 'tool')?.content;
  const call = { id: 'call_1', type: 'function', function: { name: 'count_words', arguments: JSON.stringify({ text: messages[0].content }) } };
  const message = result
    ? { role: 'assistant', content: `Your question has ${result} words.` }
    : { role: 'assistant', content: null, tool_calls: [call] };
  const choices = [{ index: 0, message, finish_reason: result ? 'stop' : 'tool_calls' }];
  const answer = { id: 'chatcmpl-1', object: 'chat.completion', created: Math.floor(Date.now() / 1000), model, choices, usage };
  return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
}
