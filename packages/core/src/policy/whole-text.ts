import { isPathEffect, type Effect, type RunEffect } from '../effects/effect.js';
import { quoteWord } from '../util/shell-word.js';
import { isUnfitForSavedRule, programName } from './programs.js';
import { SHELL_TOOL } from './tool-aliases.js';
import { readingsOf, trimmed } from './unread-text.js';
import type { PolicyCall } from './verdict.js';

/** PowerShell and cmd.exe names besides `isUnfitForSavedRule`: they destroy, start or fetch more than the words before them say. */
const UNFIT: ReadonlySet<string> = new Set(
  (
    'remove-item clear-content clear-item clear-disk format-volume set-acl icacls takeown reg invoke-expression iex ' +
    'invoke-command icm invoke-item ii invoke-webrequest iwr invoke-restmethod irm start-process saps start-job sajb ' +
    'start-bitstransfer stop-process spps taskkill stop-computer restart-computer set-executionpolicy add-type new-object ' +
    'ri rd call for forfiles wmic mshta rundll32 regsvr32 cscript wscript schtasks'
  ).split(' '),
);

const LONGEST_COMMAND = 1_000;

/** Returns the specifier for exactly this text; undefined if it cannot be written. */
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
 * Returns a call's shell text as one command without analysis. A rule for the whole text can match it. Undefined for other calls. Undefined
 * also if it starts in another folder than the first root, because its words mean something else there.
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
