import { type DataProtectionSettings, defaultDataProtection } from '@paddock/contract/data-protection';
import { useState } from 'react';
import { sameSettings } from './merged.ts';

/** The settings with unsaved changes. */
export function useDraft(saved: DataProtectionSettings) {
  const [draft, setDraft] = useState<{ before: DataProtectionSettings; after: DataProtectionSettings }>();
  /** Typed text, which may not be a number. */
  const [percent, setPercent] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const shown = draft?.after ?? saved;
  const percentText = percent ?? String(shown.sample_percent);
  const set = (change: Partial<DataProtectionSettings>) => setDraft({ before: draft?.before ?? saved, after: { ...shown, ...change } });
  const forgetPercent = () => {
    setPercent(undefined);
    setWrong(undefined);
  };
  return {
    shown,
    set,
    percentText,
    wrong,
    isTouched: percent !== undefined || (draft !== undefined && !sameSettings(draft.before, draft.after)),
    writePercent(text: string) {
      setPercent(text);
      setWrong(undefined);
      const share = readPercent(text);
      if (share !== undefined) set({ sample_percent: share });
    },
    /** Validates and returns the change to save; undefined if nothing changed, or if a value is invalid, which the field then shows. */
    check() {
      const isWrong = shown.bodies === 'sampled' && readPercent(percentText) === undefined;
      setWrong(isWrong ? 'Enter a whole number from 1 to 100.' : undefined);
      return isWrong || !draft || sameSettings(draft.before, draft.after) ? undefined : draft;
    },
    forget() {
      setDraft(undefined);
      forgetPercent();
    },
    fillDefaults() {
      forgetPercent();
      set(defaultDataProtection);
    },
  };
}
export type Draft = ReturnType<typeof useDraft>;

function readPercent(text: string): number | undefined {
  const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= 1 && number <= 100 ? number : undefined;
}
