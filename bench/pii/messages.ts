// Messages as agents send and receive them: a few with values, most without.

/** A chat completion's request with tools, about 2 KB. */
export const agentMessage = JSON.stringify({
  model: 'gpt-4o-2024-05-13',
  user: { id: 'usr_8812', first_name: 'Maria', last_name: 'Keller', email: 'maria.keller@example.com', phone: '+1 212-555-0147' },
  messages: [
    {
      role: 'system',
      content:
        'You are a helpful assistant of the support desk. Answer briefly, cite the knowledge base, and never promise refunds before the order was checked.',
    },
    {
      role: 'user',
      content:
        'Hi, my order 88213377 has not arrived yet. It was shipped on 2024-05-11 and the tracking page says that it is still in Memphis. Can you look into it please?',
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'call_a1b2c3d4',
          type: 'function',
          function: { name: 'lookup_order', arguments: '{"order_id":"88213377","include_items":true}' },
        },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'call_a1b2c3d4',
      content:
        '{"order_id":"88213377","status":"in_transit","carrier":"UPS","eta":"2024-05-17T18:00:00Z","items":[{"sku":"KB-2210","name":"Mechanical keyboard","qty":1,"price":89.5},{"sku":"MS-0031","name":"Wireless mouse","qty":2,"price":24.9}]}',
    },
    {
      role: 'assistant',
      content:
        'Your order is in transit with UPS and should arrive by Friday evening. It contains one mechanical keyboard and two wireless mice. If it has not arrived by then, reply to this message and we will open a claim with the carrier for you.',
    },
  ],
  metadata: { region: 'eu-west-1', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', latency_ms: 1284, cached: false },
  tools: [
    {
      type: 'function',
      function: {
        name: 'lookup_order',
        description: 'Looks an order up by its number and tells its state, its carrier and its items.',
        parameters: {
          type: 'object',
          properties: { order_id: { type: 'string', description: 'The number of the order' } },
          required: ['order_id'],
        },
      },
    },
    {
      type: 'function',
      function: {
        name: 'open_claim',
        description: 'Opens a claim with the carrier for an order that has not arrived in time.',
        parameters: {
          type: 'object',
          properties: { order_id: { type: 'string' }, reason: { type: 'string' } },
          required: ['order_id', 'reason'],
        },
      },
    },
  ],
});

/** The same message twice in one document, about 4 KB. */
export const longMessage = `{"first":${agentMessage},"second":${agentMessage}}`;

/** Text in which no rule has a candidate. */
export const cleanText =
  'this text has no digits and nothing else that would need a second look, it is only here to be read as fast as can be. '.repeat(2000);

/** Prose with names of places, amounts and dates, but without values. */
export const busyText =
  'The team met in Berlin on 12 May 2024 and agreed on 3 items: version 2.14.0 goes out, 450 users are moved, the bill of $1,240.50 is paid. '.repeat(
    500,
  );
