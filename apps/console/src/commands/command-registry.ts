import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Command } from '../ui/overlays/command.ts';

const lists = new Set<readonly Command[]>();
const watchers = new Set<() => void>();
let all: readonly Command[] = [];

function changed() {
  // The newest command with an id wins: a page may replace a command of the shell.
  all = [...new Map([...lists].flat().map((command) => [command.id, command])).values()];
  for (const tell of watchers) tell();
}

/** Registers commands for the palette, the shortcut sheet and the keyboard; returns a function that removes them. */
export function offerCommands(commands: readonly Command[]): () => void {
  lists.add(commands);
  changed();
  return () => {
    lists.delete(commands);
    changed();
  };
}

export const readCommands = () => all;

/** Registers commands while the component is mounted. Labels and keys are updated when they change; `run` is always the latest. */
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
