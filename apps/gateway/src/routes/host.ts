/** The meaning of the Host header: an agent's label, a host outside the agent domain, or an invalid host. */
export type HostMeaning = { kind: 'agent'; label: string } | { kind: 'other' } | { kind: 'invalid' };

const host = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Reads Host values under one agent domain. Results are cached, since the same few hosts recur. */
export function hostReader(agentDomain: string): (value: string) => HostMeaning {
  const suffix = `.${agentDomain}`;
  const known = new Map<string, HostMeaning>();

  return (value) => {
    const seen = known.get(value);
    if (seen) return seen;
    const meaning = read(value.toLowerCase());
    // A visitor chooses the key: clear the cache rather than grow.
    if (known.size >= 10_000) known.clear();
    if (meaning.kind === 'agent') known.set(value, meaning);
    return meaning;
  };

  function read(value: string): HostMeaning {
    if (value.length > 262 || !host.test(value)) return { kind: 'invalid' };
    const name = value.replace(/:\d+$/, '').replace(/\.$/, '');
    if (!name.endsWith(suffix)) return { kind: 'other' };
    const asked = name.slice(0, -suffix.length);
    // A name with more labels belongs to no agent.
    return label.test(asked) && asked.length <= 63 ? { kind: 'agent', label: asked } : { kind: 'other' };
  }
}
