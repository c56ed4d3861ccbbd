import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillCommand } from './fill-command.js';

const PLACE = '__secret:KEY__';

function run(script: string, value: string): string {
  const filled = fillCommand(script, new Map([[PLACE, value]]));
  if ('problem' in filled) throw new Error(filled.problem);
  expect(filled.command).not.toContain(value);
  return execFileSync('bash', ['-c', filled.command], {
    env: { PATH: process.env['PATH'], ...filled.variables },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

describe('a command with secrets', () => {
  it('gets them as they are wherever a word may stand, whatever they hold', () => {
    const scripts = [
      `printf %s ${PLACE}`,
      `printf %s "${PLACE}"`,
      `printf %s '${PLACE}'`,
      `printf %s $'${PLACE}'`,
      `x=${PLACE}; printf %s "$x"`,
      `printf %s "$(printf %s "${PLACE}")"`,
      `printf %s "$(printf %s '${PLACE}')"`,
      `# it's a comment\nprintf %s ${PLACE} # and ${PLACE}, isn't it`,
      `if true; then (printf %s "${PLACE}"); fi`,
      `cat <<EOF | tr -d '\\n'\n${PLACE}\nEOF`,
      `cat <<-EOF | head -c -1\n\t${PLACE}\n\tEOF`,
      `case x in x) printf %s "${PLACE}";; esac`,
      `printf '%s' "\${UNSET:-${PLACE}}"`,
    ];
    const value = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 })
      .filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.constantFrom(...scripts), value, (script, secret) => {
        const whole = `s3cret-${secret}-x`;
        expect(run(script, whole)).toBe(whole);
      }),
      { numRuns: 120 },
    );
  });

  it('says so where none can be put, and leaves what it does not know', () => {
    const values = new Map([[PLACE, 'value']]);
    expect(fillCommand(`cat <<'EOF'\n${PLACE}\nEOF`, values)).toHaveProperty('problem');
    expect(fillCommand(`echo \`echo ${PLACE}\``, values)).toHaveProperty('problem');
    expect(fillCommand('echo __secret:OTHER__', values)).toEqual({ command: 'echo __secret:OTHER__', variables: {} });
  });
});
