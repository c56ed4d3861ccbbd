import { describe, expect, it } from 'vitest';
import { changesNoFile } from './changes-no-file.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { commandEffects } from './command-effects.js';

function isQuiet(command: string): boolean {
  return changesNoFile(
    commandEffects(command, { directory: '/w', zone: 'workspace' }, plainSurroundings('/w', '/home/ann')),
  );
}

describe('changesNoFile', () => {
  it.each([
    'ls -la',
    'cat a.txt | grep -n x | head -5',
    'pwd && ls src 2>/dev/null',
    'git status --short',
    'git --no-pager log --oneline',
    'find . -name a.ts',
    'ls | sort -r',
    'cd src && cat a',
    'wc -l a 2>&1',
  ])('knows that %j writes nothing', (command) => {
    expect(isQuiet(command)).toBe(true);
  });

  it.each([
    'ls > list',
    'ls $(rm a)',
    'cat a && rm a',
    'git checkout main',
    'git diff --output=x',
    'git diff --outpu x',
    'sort -uo a a',
    'sort --output=a a',
    'find . -delete',
    'find . -fprint x',
    './ls',
    'PATH=. ls',
    'ls() { rm a; }; ls',
    'npm test',
    'sed -i s/a/b/ c',
    'rg --pre ./x y',
    'git -c core.pager=x log',
    'uniq a b',
    'echo `rm a`',
  ])('cannot say so of %j', (command) => {
    expect(isQuiet(command)).toBe(false);
  });
});
