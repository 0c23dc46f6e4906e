import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, program, startProcess } from '../measure.ts';

/** A gateway for models that masks inline (from the Rust registry: `cargo install redact-gateway`), on one core, with its audit records in a file. */
export async function startRedactGateway(folder: string, upstream: number) {
  const redact = program('redact-gateway', 'cargo, then: cargo install redact-gateway');
  const port = await freePort();
  const audit = join(folder, 'redact-gateway.audit.jsonl');
  const started = startProcess(
    redact,
    ['--host', '127.0.0.1', '--port', `${port}`, '--provider-base-url', `http://127.0.0.1:${upstream}`],
    {
      env: {
        ...process.env,
        HOME: folder,
        OTEL_SDK_DISABLED: 'true',
        TOKIO_WORKER_THREADS: '1',
        CENSGATE_AUDIT_EXPORT: 'file',
        CENSGATE_AUDIT_FILE: audit,
        CENSGATE_PROVIDER_BASE_URL: `http://127.0.0.1:${upstream}`,
      },
    },
  );
  await started.listens(port);
  return {
    ...started,
    name: 'redact-gateway',
    port,
    pids: [started.pid],
    stored: () => (existsSync(audit) ? readFileSync(audit, 'utf8') : ''),
  };
}
