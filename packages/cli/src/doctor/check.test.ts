import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { runChecks, type Check } from './check.js';
import { doctorLines } from './doctor-view.js';
import { terminalTraits } from './terminal-traits.js';

const check = (name: string, run: Check['run']): Check => ({ name, run });
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was ended')), { once: true });
  });

it('runs checks side by side, in their order, each for a limited time, and none fails the others', async () => {
  const ended: string[] = [];
  const found = await runChecks(
    [
      check('slow', async (signal) => {
        signal.addEventListener('abort', () => ended.push('slow'));
        return never(signal);
      }),
      check('fails', async () => Promise.reject(new Error('broken'))),
      check('good', async () => [{ name: 'good', state: 'good', text: 'well' }]),
    ],
    new AbortController().signal,
    50,
  );
  expect(found).toEqual([
    { name: 'slow', state: 'problem', text: 'no answer in 0.05 s' },
    { name: 'fails', state: 'problem', text: 'could not be looked at: broken' },
    { name: 'good', state: 'good', text: 'well' },
  ]);
  expect(ended).toEqual(['slow']);
});

it('ends at once when it is cancelled', async () => {
  const cancel = new AbortController();
  const running = runChecks([check('slow', never)], cancel.signal, 60_000);
  cancel.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
});

it('holds the signal for no check, however many there are', async () => {
  const { signal } = new AbortController();
  const checks = Array.from({ length: 20 }, (_, index): Check => ({ name: `check ${index}`, run: async () => [] }));
  let most = 0;
  const last: Check = {
    name: 'last',
    run: async () => {
      most = getEventListeners(signal, 'abort').length;
      return [];
    },
  };
  await runChecks([...checks, last], signal);
  expect(most).toBe(0);
});

it('shows findings in columns, with advice below and a count at the end', () => {
  const lines = doctorLines(
    [
      { name: 'node', state: 'good', text: '22.0.0' },
      { name: 'ripgrep', state: 'missing', text: 'not there', advice: 'Install it.' },
      { name: 'home', state: 'problem', text: 'is full' },
    ],
    false,
  );
  expect(lines).toEqual([
    'ok node     22.0.0',
    '-- ripgrep  not there',
    '            Install it.',
    '!! home     is full',
    '1 problem.',
  ]);
  expect(doctorLines([{ name: 'x', state: 'missing', text: 'y' }], true).at(-1)).toBe(
    'Nothing is wrong; 1 that would be good to have is not there.',
  );
});

it('tells what a terminal can do by its variables', () => {
  const traits = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') => terminalTraits(env, platform);
  expect(traits({ LANG: 'en_US.UTF-8', TERM: 'xterm-kitty' })).toEqual({
    unicode: true,
    images: 'kitty',
    isRemote: false,
  });
  expect(traits({ LANG: 'en_US.UTF-8', LC_ALL: 'C', SSH_TTY: '/dev/pts/1' })).toEqual({
    unicode: false,
    isRemote: true,
  });
  expect(traits({ LANG: 'C.utf8', TMUX: '/tmp/x', TERM_PROGRAM: 'iTerm.app' })).toEqual({
    unicode: true,
    multiplexer: 'tmux',
    isRemote: false,
  });
  expect(traits({ TERM_PROGRAM: 'iTerm.app' }, 'darwin')).toMatchObject({ unicode: true, images: 'iterm2' });
  expect(traits({ TERM: 'linux', LANG: 'en_US.UTF-8' }).unicode).toBe(false);
  expect(traits({}, 'win32').unicode).toBe(false);
  expect(traits({ WT_SESSION: 'x' }, 'win32').unicode).toBe(true);
});
