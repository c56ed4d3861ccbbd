import { Kind, ToolNames, type BaseTool, type ToolHints } from '@tenon/core';

/**
 * What is said of a tool by its kind. What a kind may do at worst counts: clients let pass what is said to only read. A
 * change can be taken back (`tenon undo`) but does overwrite, so it is called destructive.
 */
const BY_KIND: Readonly<Record<Kind, ToolHints>> = {
  [Kind.Read]: { readOnlyHint: true, openWorldHint: false },
  [Kind.Search]: { readOnlyHint: true, openWorldHint: false },
  [Kind.Think]: { readOnlyHint: true, openWorldHint: false },
  [Kind.Edit]: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  [Kind.Execute]: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  [Kind.Fetch]: { readOnlyHint: true, openWorldHint: true },
  // Nothing is known: then the protocol's own defaults assume the worst.
  [Kind.Other]: {},
};

/** Hints for tools that do less harm than their kind, or whose kind has no hints. */
const BY_NAME: ReadonlyMap<string, ToolHints> = new Map([
  // The same content twice is the same file.
  [ToolNames.WRITE_FILE, { idempotentHint: true }],
  [ToolNames.JOB_STOP, { idempotentHint: true, openWorldHint: false }],
  // A rename and a code action change files.
  [ToolNames.LSP, BY_KIND[Kind.Edit]],
  // A subagent may do everything that the agent may.
  [ToolNames.TASK, BY_KIND[Kind.Execute]],
]);

/** `annotations`. Pure. */
export function hintsOf({ kind, name }: Pick<BaseTool, 'kind' | 'name'>): ToolHints {
  return { ...BY_KIND[kind], ...BY_NAME.get(name) };
}
