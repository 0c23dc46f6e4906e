import type { DataProtection } from '@paddock/contract';
import { defaultDataProtection } from '@paddock/contract/data-protection';
import { type SubmitEvent, useRef } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { LogAndTraceFields, ModeFields } from './ModeFields.tsx';
import { sameSettings } from './merged.ts';
import { toSettings, useSetDataProtection } from './queries.ts';
import { RuleFields } from './RuleFields.tsx';
import { useDraft } from './use-draft.ts';
import { messages } from './words.ts';

/** The settings of a project, saved together. */
export function SettingsForm({ projectId, saved }: { projectId: string; saved: DataProtection }) {
  const draft = useDraft(toSettings(saved));
  const save = useSetDataProtection(projectId);
  const told = useRef<HTMLParagraphElement>(null);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const change = draft.check();
    if (!change) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    save.mutate(change, {
      onSuccess: () => {
        draft.forget();
        // Move the focus: the pressed button is now disabled.
        told.current?.focus({ preventScroll: true });
      },
    });
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex max-w-[62rem] flex-col gap-6">
      <div>
        <Badge tone="neutral" glyph={saved.is_default ? 'ring' : 'disc'}>
          {saved.is_default ? 'Using the defaults' : 'Project-specific settings'}
        </Badge>
      </div>
      <RuleFields rules={draft.shown.rules} onChange={(rules) => draft.set({ rules })} />
      <ModeFields draft={draft} />
      <LogAndTraceFields draft={draft} />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!draft.isTouched}>
          Save changes
        </Button>
        <Button onClick={draft.forget} disabled={!draft.isTouched}>
          Discard changes
        </Button>
        <Button variant="ghost" disabled={sameSettings(draft.shown, defaultDataProtection)} onClick={draft.fillDefaults}>
          Use the defaults
        </Button>
        <p ref={told} tabIndex={-1} role="status" className="self-center text-muted outline-none">
          {save.isSuccess && !draft.isTouched ? 'Saved. Takes effect within seconds.' : null}
        </p>
      </div>
      <FormError>{failureText(save.error, messages.save)}</FormError>
    </form>
  );
}
