import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { commandEffects } from './command-effects.js';

const surroundings = {
  resolve: (path: string) => {
    const real = resolve(path);
    return { path: real, zone: `${real}/`.startsWith('/work/') ? ('workspace' as const) : ('outside' as const) };
  },
  home: '/home/you',
};

function outsideReads(text: string): readonly string[] {
  const effects = commandEffects(text, { directory: '/work', zone: 'workspace' }, surroundings);
  return effects.flatMap((effect) => {
    if (effect.kind === 'unknown') return [effect.reason];
    return effect.kind === 'read' && effect.zone === 'outside' ? [effect.path] : [];
  });
}

it.each([
  ['[ -s /root/x ]', '/root/x'],
  ['[ -e /root/x ] && echo yes', '/root/x'],
  ['[ ! -f /root/x ]', '/root/x'],
  ['[ -n a -a -r /root/x ]', '/root/x'],
  ['test -d /root/x', '/root/x'],
  ['/usr/bin/test -d /root/x', '/root/x'],
  ['env test -d /root/x', '/root/x'],
  ['command test -w /root/x', '/root/x'],
  ['[ a -nt /root/x ]', '/root/x'],
  ['[ /root/x -ot a ]', '/root/x'],
  ['[[ -s /root/x ]]; cat a', '/root/x'],
  ['[[ -f a && -e /root/x ]] && cat a', '/root/x'],
  ['[[ ! ( -L /root/x ) ]] && cat a', '/root/x'],
  ['[[ a -ef /root/x ]] && cat a', '/root/x'],
  ['if [ -e ../x ]; then echo yes; fi', '/x'],
  ['[ -e ~/.ssh/id_rsa ]', '/home/you/.ssh/id_rsa'],
  ['[ -e "$HOME/.netrc" ]', '/home/you/.netrc'],
  ['x=/root/x; [ -s $x ]', '/root/x'],
  ['for x in /root/a /root/b; do [ -s $x ] && echo $x; done', '/root/a'],
  ['[ -e "/root/$x" ]', 'a path that is not certain (`"/root/$x"`)'],
  ['cat /dev/zero', '/dev/zero'],
  ['cat < /dev/zero', '/dev/zero'],
  ['wc -c /dev/full', '/dev/full'],
  ['head -n 1 /dev/zero', '/dev/zero'],
  ['tr -dc a-z < /dev/urandom', '/dev/urandom'],
  ['cat /dev/random | base64', '/dev/random'],
  ['grep -c x /dev/zero', '/dev/zero'],
])('%s looks at %s', (text, path) => expect(outsideReads(text)).toContain(path));

it.each([
  '[ -s x ]',
  '[ -f package.json ] && cat package.json',
  '[[ -f package.json ]] && cat package.json',
  '[ "$x" = /root/x ]',
  '[ -z "$x" ]',
  '[ -n /root/x ]',
  '[ 1 -lt 2 ]',
  '[[ a == /root/* ]] && cat a',
  'test -f "$x"',
  'f() { [ -f "$1" ]; }; f x',
  'head -c 16 /dev/urandom | base64',
  'tr -dc a-z < /dev/urandom | head -c 16',
  'od -An -N4 -tu4 /dev/urandom',
  'xxd -l 8 /dev/urandom',
  'cat a > /dev/null',
  'cat a 2>/dev/null',
  'echo x > /dev/full',
])('%s looks at nothing outside', (text) => expect(outsideReads(text)).toEqual([]));
