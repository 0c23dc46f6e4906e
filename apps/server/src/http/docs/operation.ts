import type { Schema } from './schema.ts';

/** `/projects/:id` in OpenAPI's notation: `/projects/{id}`. */
export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  deprecated?: true;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: Record<string, unknown> }>;

export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: { bearer: never[] }[];
  'x-paddock-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer>;
}
