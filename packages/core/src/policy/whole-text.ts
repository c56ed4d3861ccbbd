import { isPathEffect, type Effect, type RunEffect } from '../effects/effect.js';
import { quoteWord } from '../util/shell-word.js';
import { isUnfitForSavedRule, programName } from './programs.js';
import { SHELL_TOOL } from './tool-aliases.js';
import { readingsOf, trimmed } from './unread-text.js';
import type { PolicyCall } from './verdict.js';

/** Names in PowerShell and cmd.exe, beside `isUnfitForSavedRule`: what destroys, starts or fetches more than the words in front of it say. */
const UNFIT: ReadonlySet<string> = new Set(
  (
    'remove-item clear-content clear-item clear-disk format-volume set-acl icacls takeown reg invoke-expression iex ' +
    'invoke-command icm invoke-item ii invoke-webrequest iwr invoke-restmethod irm start-process saps start-job sajb ' +
    'start-bitstransfer stop-process spps taskkill stop-computer restart-computer set-executionpolicy add-type new-object ' +
    'ri rd call for forfiles wmic mshta rundll32 regsvr32 cscript wscript schtasks'
  ).split(' '),
);

const LONGEST_COMMAND = 1_000;

/** The specifier that means just this text; undefined when it cannot be written. */
export function wholeTextSpecifier(command: string): string | undefined {
  const text = trimmed(command);
  if (text === '' || text.length > LONGEST_COMMAND || /[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return undefined;
  return quoteWord(text);
}

/** Returns true if a text without analysis has names that a saved rule should not stand for. */
export function isUnfitText(command: string): boolean {
  const words = readingsOf(trimmed(command))?.flat();
  return words?.some((word) => isUnfitForSavedRule(word) || UNFIT.has(programName(word))) ?? true;
}

/**
 * The shell text of a call, as one command of which nothing is known: a rule that is the whole text speaks of it. Undefined
 * for other calls, and for a text that starts in another folder than the first root, since its words mean something else there.
 */
export function textOfCall({ toolName, effects }: PolicyCall, [root]: readonly string[]): RunEffect | undefined {
  if (toolName !== SHELL_TOOL) return undefined;
  const run = effects.find((effect) => effect.kind === 'run' && (effect.whole !== undefined || effects.length === 1));
  if (run?.kind !== 'run' || run.unread !== undefined) return undefined;
  const { text: command, directory } = run.whole ?? { text: run.command, directory: run.directory };
  if (directory !== root) return undefined;
  const unread = 'a text as a whole';
  return { kind: 'run', command, argv: [command], directory, zone: 'workspace', readOnly: false, unread };
}

/** Returns true if the effect belongs to the text as a whole. */
export function isOfText(effect: Effect): boolean {
  if (effect.kind === 'unknown') return effect.isOfText === true;
  return effect.kind === 'run' || effect.kind === 'fetch' || isPathEffect(effect);
}
