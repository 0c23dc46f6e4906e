import { config } from 'zod/v4/core';

// The build puts this module in the place of `zod`: compiled validators need `new Function`, which our content policy forbids.
config({ jitless: true });

export * from 'zod/v4';
