import { expect, it } from 'vitest';
import { commandEffects } from '../command-effects.js';

const surroundings = { resolve: (path: string) => ({ path, zone: 'workspace' as const }), home: '/home/you' };

function isReadOnly(text: string): boolean {
  const effects = commandEffects(text, { directory: '/work', zone: 'workspace' }, surroundings);
  return effects.every((effect) => effect.kind === 'read' || (effect.kind === 'run' && effect.readOnly));
}

it.each([
  'set',
  'export',
  'export -p',
  'declare',
  'declare -p',
  'declare -x',
  'declare -p HOME',
  'typeset',
  'typeset -p',
  'local',
  'readonly',
  'readonly -p',
  'env',
  'env -0',
  'env A=1',
  'printenv',
  'printenv HOME',
  'export -p | tr a b',
  'cat <(set)',
  'x=$(declare -p); echo "$x"',
])('%s prints variables, so it is no reader', (text) => expect(isReadOnly(text)).toBe(false));

it.each(['set -e', 'set -euo pipefail; cat a', 'set -- a b', 'set +x', 'export CI=1', 'declare -x CI=1', 'export CI'])(
  '%s prints none',
  (text) => expect(isReadOnly(text)).toBe(true),
);
