import { safeText, wrapSafe, type Safe } from '@tenon/core';
import type { Look } from './block.js';
import { paintLine } from './paint.js';

export interface WelcomeFacts {
  readonly version: string;
  readonly model: string;
  readonly mode: string;
  readonly folder: string;
  /** What the person can do here, a short sentence each. */
  readonly hints: readonly string[];
  /** An earlier session goes on: how that is told. */
  readonly resumed?: string;
}

/** What stands at the beginning: who this is, with which model, in which mode and folder. */
export function welcome(look: Look, facts: WelcomeFacts): Safe[] {
  const { theme, columns } = look;
  const name = theme.paint('strong', safeText`tenon`);
  const version = paintLine(theme, 'dim', facts.version);
  const model = paintLine(theme, 'accent', facts.model);
  const mode = paintLine(theme, 'text', `mode ${facts.mode}`);
  const dim = (text: string): Safe => paintLine(theme, 'dim', text);
  return [
    safeText`${name} ${version}  ${model}, ${mode}`,
    dim(facts.folder),
    ...(facts.resumed === undefined ? [] : [dim(facts.resumed)]),
    ...facts.hints.map(dim),
  ].flatMap((line) => wrapSafe(line, columns));
}
