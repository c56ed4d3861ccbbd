import type { ParsedScript } from 'unbash';
import type { ShellState } from '../words/shell-state.js';
import { textOf, type RedirectionPlace } from './redirections.js';

/**
 * Returns a script's output if it is certain before the script runs: a single `cat <<'EOF'` with the system's `cat`. Undefined for any
 * other script.
 */
export function outputOf(
  script: ParsedScript | undefined,
  state: ShellState,
  { walk, at }: RedirectionPlace,
): string | undefined {
  const [statement, ...more] = script?.commands ?? [];
  if (statement === undefined || more.length > 0 || statement.background === true) return undefined;
  const { command } = statement;
  if (command.type !== 'Command' || command.name?.text !== 'cat' || command.prefix.length > 0) return undefined;
  const [document, ...others] = command.suffix;
  if (document === undefined || others.length > 0 || (document.type !== 'HereDoc' && document.type !== 'HereString'))
    return undefined;
  // Shells differ about the end of a document without an end marker.
  if (document.type === 'HereDoc' && document.closing === undefined) return undefined;
  if (document.descriptor !== undefined || walk.functions.get('cat') !== undefined) return undefined;
  const input = textOf(document, state, { walk, at });
  const facts = walk.options.judge({ name: 'cat', words: [], input, folders: state.folders });
  return typeof input === 'object' && facts.isComplete ? input.text : undefined;
}
