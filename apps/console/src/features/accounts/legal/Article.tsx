import type { ReactNode } from 'react';

/** A section with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6 first:mt-0">
      <h2 className="mb-2 text-md font-semibold">{title}</h2>
      <div className="flex flex-col gap-2 text-base">{children}</div>
    </section>
  );
}
