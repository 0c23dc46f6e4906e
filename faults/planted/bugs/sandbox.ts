import type { PlantedBug } from '../bug.ts';

const runtime = 'packages/runtime/src/process';

/** Bugs in the sandbox. */
export const sandboxBugs: PlantedBug[] = [
  {
    bug: 'the system call filter lets ptrace through',
    promise: 'agents: no tracing',
    file: `${runtime}/sandbox/seccomp.ts`,
    from: 'ptrace: [101, 117], process_vm_readv',
    to: 'process_vm_readv',
    caught_by: { file: `${runtime}/sandbox/isolation.test.ts`, test: 'cannot make namespaces, mount, trace' },
  },
  {
    bug: 'the addresses of sandboxes are no private range any more',
    promise: 'agents: refused before a packet leaves',
    file: 'packages/network/src/closed-networks.ts',
    from: "benchmarking: ['198.18.0.0/15'],",
    to: 'benchmarking: [],',
    caught_by: { file: `${runtime}/sandbox/isolation.test.ts`, test: 'reaches neither private ranges' },
  },
  {
    bug: "the agent's secrets stay in a file of the host",
    promise: 'P7: secrets appear nowhere',
    file: `${runtime}/sandbox/enter.sh`,
    from: 'rm "$folder/arguments"',
    to: 'true "$folder/arguments"',
    caught_by: { file: `${runtime}/sandbox/isolation.test.ts`, test: 'has no secret of its own' },
  },
  {
    bug: 'an agent may start twenty times as many processes',
    promise: 'agents: a fork bomb hurts nobody',
    file: `${runtime}/limits/cgroup.ts`,
    from: 'String(limits.processes + SANDBOX_PROCESSES)',
    to: 'String(limits.processes * 20)',
    caught_by: { file: `${runtime}/limits/limits.test.ts`, test: 'an agent that starts processes without end' },
  },
];
