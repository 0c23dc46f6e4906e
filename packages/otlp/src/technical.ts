/**
 * Which attributes say how something was done, not for whom: names of models, tools, services and modules, ids, settings. A name there is nobody's
 * name, and a number nobody's.
 */

const beginnings =
  /^(gen_ai|llm|ai|mcp|openinference|service|telemetry|otel|code|thread|process|host|os|rpc|faas|cloud|container|k8s|deployment|tool|agent|embedding|graph)\./;
/** What applications tell of their own within them. */
const own = /^(ai\.telemetry\.metadata|ai\.settings|gen_ai\.(conversation|memory|evaluation))\./;
const others = new Set(['error.type', 'exception.type', 'traceloop.span.kind', 'traceloop.workflow.name', 'traceloop.entity.name']);

/** By its name alone. */
export const isTechnical = (name: string): boolean => others.has(name) || (beginnings.test(name) && !own.test(name));
