import { archiveLimits } from '@paddock/contract/limits';
import { DropZone } from '../../ui/controls/DropZone.tsx';
import { Ruler } from '../../ui/layout/Ruler.tsx';
import { megabytes } from '../deployments/deploy/megabytes.ts';
import { SampleButton } from '../deployments/deploy/SampleButton.tsx';
import { TerminalCard } from './TerminalCard.tsx';

/** Shown on the dashboard while nothing is deployed: three ways to the first deployment, drop, click or paste. */
export function FirstDeployment({ onFile }: { onFile: (file: File) => void }) {
  return (
    <section aria-labelledby="first" className="mb-4 border border-border bg-surface">
      <div className="mx-auto flex max-w-text flex-col gap-4 px-4 py-8">
        <h2 id="first" className="text-lg font-bold">
          Deploy Your First Agent
        </h2>
        <p className="text-muted">
          Upload a ZIP of your agent's code to get a running agent with its own address. Python and Node.js are detected automatically.
        </p>
        <DropZone
          label="Drop a ZIP here, or choose one"
          hint={`One .zip, up to ${megabytes(archiveLimits.zipBytes)}. If you have no project, one is created and named after the file.`}
          accept=".zip,application/zip"
          file={null}
          onFile={onFile}
        />
        <div className="flex flex-wrap items-center gap-3">
          <SampleButton />
          <span className="text-sm text-muted">No code at hand? Try the small chat agent that comes with Paddock.</span>
        </div>
        <TerminalCard />
      </div>
      <Ruler />
    </section>
  );
}
