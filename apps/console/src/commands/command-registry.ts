import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Command } from '../ui/overlays/command.ts';

const lists = new Set<readonly Command[]>();
const watchers = new Set<() => void>();
let all: readonly Command[] = [];

function changed() {
  // The newest list of an id wins: a page may take over what the shell offers.
  all = [...new Map([...lists].flat().map((command) => [command.id, command])).values()];
  for (const tell of watchers) tell();
}

/** Offers commands to the palette, the shortcut sheet and the keyboard; returns the way to take them back. */
export function offerCommands(commands: readonly Command[]): () => void {
  lists.add(commands);
  changed();
  return () => {
    lists.delete(commands);
    changed();
  };
}

export const readCommands = () => all;

/** Offers commands for as long as the component is there. Labels and keys are renewed when they change, `run` is always the latest. */
export function useCommands(commands: readonly Command[]) {
  const latest = useRef(commands);
  const shape = JSON.stringify(commands.map(({ id, label, group, keys }) => [id, label, group, keys]));
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(
    () => offerCommands(latest.current.map((command, index) => ({ ...command, run: () => latest.current[index]?.run() }))),
    // oxlint-disable-next-line react/exhaustive-deps -- the shape stands for the list, whose identity changes with every render
    [shape],
  );
}

export const useAllCommands = () =>
  useSyncExternalStore((tell) => {
    watchers.add(tell);
    return () => watchers.delete(tell);
  }, readCommands);
