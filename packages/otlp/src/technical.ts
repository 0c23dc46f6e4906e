import type { AttributeValue, RawSpan } from './raw-span.ts';
import { isOperation } from './span-semantics.ts';

/**
 * Attributes that describe the operation and not persons: names of models, tools, services and modules, ids, settings. Names and numbers in
 * them are not personal data.
 */

const beginnings =
  /^(gen_ai|llm|ai|mcp|openinference|service|telemetry|otel|code|thread|process|host|os|rpc|faas|cloud|container|k8s|deployment|tool|agent|embedding|graph)\./;
/** Exceptions: values that applications set themselves. */
const own = /^(ai\.telemetry\.metadata|ai\.settings|gen_ai\.(conversation|memory|evaluation))\./;
const others = new Set(['error.type', 'exception.type', 'traceloop.span.kind', 'traceloop.workflow.name', 'traceloop.entity.name']);

/** Decides by the name alone. */
export const isTechnical = (name: string): boolean => others.has(name) || (beginnings.test(name) && !own.test(name));

const namesOfThings = ['gen_ai.agent.name', 'gen_ai.tool.name', 'gen_ai.workflow.name', 'agent.name', 'tool.name', 'traceloop.entity.name'];

/** Whether a span is named after an operation, or after its agent, tool or workflow. */
export function isTechnicalName({ name, attributes }: Pick<RawSpan, 'name' | 'attributes'>): boolean {
  const [operation = ''] = name.split(' ', 1);
  if (isOperation(operation)) return true;
  const holds = (value: AttributeValue | undefined) => typeof value === 'string' && value !== '' && name.includes(value);
  return namesOfThings.some((key) => holds(attributes.get(key)));
}
