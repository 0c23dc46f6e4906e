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
          A ZIP of the agent's code goes in, a running agent with an address comes out. Python and Node.js are recognised by their files.
        </p>
        <DropZone
          label="Drop a ZIP here, or choose one"
          hint={`One .zip, up to ${megabytes(archiveLimits.zipBytes)}. Without a project, one is made from its name.`}
          accept=".zip,application/zip"
          file={null}
          onFile={onFile}
        />
        <div className="flex flex-wrap items-center gap-3">
          <SampleButton />
          <span className="text-sm text-muted">No code at hand? A small chat agent comes with Paddock.</span>
        </div>
        <TerminalCard />
      </div>
      <Ruler faint />
    </section>
  );
}
