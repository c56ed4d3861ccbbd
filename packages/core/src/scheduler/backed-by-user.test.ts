import { expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { PolicyContext } from '../policy/verdict.js';
import { commandEffects } from '../shell/command-effects.js';
import { isBackedByUser } from './backed-by-user.js';

const PLACE = { directory: '/work', zone: 'workspace' } as const;
const surroundings = { resolve: (path: string) => ({ path, zone: 'workspace' as const }), home: '/home/you' };

function isBacked(text: string, mode: ApprovalMode, ...allow: readonly string[]): boolean {
  const rules = allow.map((each) => ({ list: 'allow' as const, text: each, origin: 'test' }));
  const context = { mode, rules, roots: ['/work'], home: '/home/you' } as unknown as PolicyContext;
  const effects = commandEffects(text, PLACE, surroundings);
  const contained = effects.map((effect) =>
    mode === ApprovalMode.AUTO_EDIT && effect.kind === 'run' ? { ...effect, isContained: true } : effect,
  );
  const verdict = decide({ toolName: 'run_shell_command', effects: contained }, context);
  return isBackedByUser(verdict, { mode, text, secretVariables: ['DEPLOY_TOKEN'] });
}

it.each([
  ['echo $DEPLOY_TOKEN | rev'],
  ['echo ${DEPLOY_TOKEN:0:7}'],
  ['export -p | tr a b'],
  ['printenv'],
  ['x=$DEPLOY_TOKEN; echo $x | rev'],
])('nobody stands behind the reader %s, in any mode', (text) => {
  for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO])
    expect(isBacked(text, mode)).toBe(false);
});

it.each([['npm install'], ['npm test && echo $DEPLOY_TOKEN | rev']])(
  'nobody stands behind %s where the sandbox lets it run, and the user does in yolo mode',
  (text) => {
    expect(isBacked(text, ApprovalMode.AUTO_EDIT)).toBe(false);
    expect(isBacked(text, ApprovalMode.YOLO)).toBe(true);
  },
);

it.each([
  ['deploy now', true],
  ['deploy now | tail -5', true],
  ['deploy --token $DEPLOY_TOKEN | tail -5', true],
  ['set -e; cd sub; deploy "$name" 2>&1 | grep -v debug', true],
  ['export CI=1; deploy now', true],
  ['for f in *.md; do echo "$f"; deploy $f; done', true],
  ['deploy now; echo $DEPLOY_TOKEN | rev', false],
  ['deploy $DEPLOY_TOKEN; x=$DEPLOY_TOKEN; echo $x | rev', false],
  ['for x in $DEPLOY_TOKEN; do deploy now; echo $x | rev; done', false],
  ['deploy now; n=DEPLOY_$s; echo ${!n} | rev', false],
  ['deploy now; export -p | rev', false],
  ['deploy now; declare -x | rev', false],
  ['deploy now; set | rev', false],
  ['deploy now; env | rev', false],
  ['deploy now; env A=1 | rev', false],
  ['deploy now; printenv | rev', false],
  ['deploy now; cat <<< "$DEPLOY_TOKEN" | rev', false],
])('a rule that allows deploy stands behind %s: %s', (text, expected) => {
  expect(isBacked(text, ApprovalMode.DEFAULT, 'Bash(deploy *)')).toBe(expected);
});
