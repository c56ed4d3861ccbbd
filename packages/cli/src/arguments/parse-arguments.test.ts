import { describe, expect, it } from 'vitest';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { COMMANDS, OPTIONS } from './option-table.js';
import { parseArguments } from './parse-arguments.js';

function failureOf(...args: string[]): ExitFailure {
  try {
    parseArguments(args);
  } catch (thrown) {
    if (thrown instanceof ExitFailure) return thrown;
    throw thrown;
  }
  throw new Error(`accepted: ${args.join(' ')}`);
}

describe('parseArguments', () => {
  it('takes a prompt as one word or as several', () => {
    expect(parseArguments(['fix the bug'])).toMatchObject({ command: 'run', words: ['fix the bug'] });
    expect(parseArguments(['fix', 'the', 'bug'])).toMatchObject({ command: 'run', words: ['fix', 'the', 'bug'] });
    expect(parseArguments(['-p', '- fix the list'])).toMatchObject({ options: { prompt: '- fix the list' } });
    expect(parseArguments([])).toMatchObject({ command: 'run', words: [], options: { outputFormat: 'text' } });
  });

  it('takes what stands behind -- as the prompt, whatever it looks like', () => {
    expect(parseArguments(['--', 'tools'])).toMatchObject({ command: 'run', words: ['tools'] });
    expect(parseArguments(['--quiet', '--', '--version', '-x'])).toMatchObject({
      command: 'run',
      words: ['--version', '-x'],
    });
  });

  it('reads every option of a run', () => {
    const args = '-p x --output-format stream-json --approval-mode auto-edit --model m --max-turns 7 --cwd /a -q'.split(
      ' ',
    );
    const rules = ['--deny', 'Bash(rm *)', '--allow', 'Read', '--ask=Edit', '--allow', 'Bash(npm test)'];
    const { options } = parseArguments([...args, ...rules, '--add-dir', '/b', '--add-dir', '/c']);
    expect(options).toEqual({
      prompt: 'x',
      outputFormat: 'stream-json',
      inputFormat: 'text',
      approvals: 'nobody',
      approvalMode: 'auto_edit',
      model: 'm',
      maxTurns: 7,
      cwd: '/a',
      addDirs: ['/b', '/c'],
      json: false,
      quiet: true,
      rules: [
        { list: 'allow', text: 'Read', origin: 'command line' },
        { list: 'allow', text: 'Bash(npm test)', origin: 'command line' },
        { list: 'ask', text: 'Edit', origin: 'command line' },
        { list: 'deny', text: 'Bash(rm *)', origin: 'command line' },
      ],
    });
  });

  it('knows the commands and their words', () => {
    expect(parseArguments(['call', 'read_file', '-'])).toMatchObject({ command: 'call', words: ['read_file', '-'] });
    expect(parseArguments(['tools', 'edit', '--json'])).toMatchObject({ command: 'tools', options: { json: true } });
    for (const command of COMMANDS.filter(
      (name) => !['run', 'call', 'policy', 'mcp', 'audit', 'replay'].includes(name),
    )) {
      expect(parseArguments([command]).command).toBe(command);
    }
  });

  it('reads the limits of a prompt', () => {
    const limits = ['--max-turns', '3', '--max-calls=9', '--max-seconds', '60', '--max-cost', '0.25'];
    expect(parseArguments(['-p', 'x', ...limits]).options).toMatchObject({
      maxTurns: 3,
      maxCalls: 9,
      maxSeconds: 60,
      maxCost: 0.25,
    });
    for (const wrong of ['0', '-1', '1e3', 'NaN', '1.', '', '0x10'])
      expect(failureOf(`--max-cost=${wrong}`).message).toContain('--max-cost');
  });

  it('reads how much the model thinks', () => {
    expect(parseArguments(['-p', 'x', '--effort', 'xhigh']).options.effort).toBe('xhigh');
    expect(failureOf('-p', 'x', '--effort', 'hihg').message).toContain('not "hihg". Did you mean high?');
  });

  it('reads which session goes on', () => {
    const wish = (...args: string[]) => parseArguments(args).options.session;
    expect(wish('-p', 'x')).toBeUndefined();
    expect(wish('-c')).toEqual({ from: 'newest', isFork: false });
    expect(wish('--continue', '--fork', 'go on')).toEqual({ from: 'newest', isFork: true });
    expect(wish('--resume')).toEqual({ from: 'choose', isFork: false });
    expect(wish('--resume', '--quiet')).toEqual({ from: 'choose', isFork: false });
    expect(wish('--resume=my-log')).toEqual({ from: 'named', name: 'my-log', isFork: false });
    expect(wish('--fork', '-r', '3f2a')).toEqual({ from: 'named', name: '3f2a', isFork: true });
    expect(failureOf('-c', '--resume').message).toContain('only one goes at a time');
    expect(failureOf('--fork', 'x').message).toContain('--fork goes with --continue or --resume');
  });

  it('takes what stands behind --resume for a session only when it can hardly be a prompt', () => {
    const of = (word: string) => {
      const { words, options } = parseArguments(['--resume', word, 'and more']);
      return { words, name: options.session?.name };
    };
    const ids = ['6a0c1f9e', '6a0c1f9e-33', '0d9b1a52-8c1f-4b1e-9f0a-2f4f7c1d9e10', 'logs/one.jsonl'];
    for (const id of ids) expect(of(id)).toEqual({ words: ['and more'], name: id });
    for (const word of ['fix', 'facade', 'fix the bug', '12', 'v2-3'])
      expect(of(word)).toEqual({ words: [word, 'and more'], name: undefined });
    expect(parseArguments(['--resume', '--', '6a0c1f9e']).words).toEqual(['6a0c1f9e']);
  });

  it('answers in JSON lines whoever speaks in them', () => {
    const format = (...args: string[]) => parseArguments(['--input-format', 'stream-json', ...args]).options;
    expect(format()).toMatchObject({ inputFormat: 'stream-json', outputFormat: 'stream-json' });
    expect(format('--output-format', 'json')).toMatchObject({ outputFormat: 'json' });
    expect(format('--approvals', 'stdin')).toMatchObject({ approvals: 'stdin' });
    expect(failureOf('--approvals', 'me').message).toContain('--approvals must be one of nobody, stdin');
    expect(parseArguments(['-p', 'x', '--include-partial', '--json-schema', '{}']).options).toMatchObject({
      includePartial: true,
      jsonSchema: '{}',
    });
  });

  it('reads how a session looks', () => {
    expect(parseArguments(['--plain', '--theme', 'dark']).options).toMatchObject({ plain: true, theme: 'dark' });
    expect(parseArguments(['start', '--screen-reader']).options).toMatchObject({ screenReader: true });
  });

  it('reads what is asked of servers', () => {
    const words = ['mcp', 'add', 'x', '--env', 'A=b', '--env', 'C=d', '--scope', 'project', '--', 'npx', '-y', 'y'];
    expect(parseArguments(words)).toMatchObject({
      command: 'mcp',
      words: ['add', 'x', 'npx', '-y', 'y'],
      options: { mcp: { env: ['A=b', 'C=d'], scope: 'project' } },
    });
    expect(parseArguments(['mcp', 'serve', '--http', '0', '--tools', 'a,b']).options.mcp).toMatchObject({
      http: 0,
      tools: ['a', 'b'],
    });
    expect(parseArguments(['-p', 'x', '--mcp-config', 'f.json', '--strict-mcp-config']).options).toMatchObject({
      mcpConfigs: ['f.json'],
      strictMcpConfig: true,
    });
    expect(parseArguments(['mcp', 'list']).options.mcp).toBeUndefined();
    expect(failureOf('mcp', 'add', 'x', '--scope', 'usr', '--', 'y').message).toContain('Did you mean user?');
    expect(failureOf('mcp', 'serve', '--http', '99999').message).toContain('--http must be a port');
  });

  it('reads what is asked of the rules', () => {
    expect(parseArguments(['policy', 'explain', 'npm test', '--mode', 'auto-edit'])).toMatchObject({
      command: 'policy',
      words: ['explain', 'npm test'],
      options: { approvalMode: 'auto_edit' },
    });
    expect(parseArguments(['policy', 'revoke', '--all'])).toMatchObject({ options: { all: true } });
    expect(failureOf('policy', 'explain', 'x', '--mode', 'quick').message).toContain('--mode must be one of');
    expect(failureOf('policy').message).toContain('explain');
  });

  it('reads which changes are meant, and tells a prompt that begins so where it goes', () => {
    expect(parseArguments(['undo', '3', '--dry-run'])).toMatchObject({
      command: 'undo',
      words: ['3'],
      options: { dryRun: true },
    });
    expect(parseArguments(['diff', '--turn'])).toMatchObject({ command: 'diff', words: [], options: { turn: true } });
    expect(parseArguments(['undo', '--to', 'ab12'])).toMatchObject({ options: { to: 'ab12' } });
    expect(failureOf('undo', 'the', 'last', 'change').message).toContain('A prompt goes behind -p, in quotes.');
    expect(failureOf('redo', '2').message).toContain('"tenon redo" takes no further words');
    expect(failureOf('log', '--turn').message).toContain('it belongs to: tenon undo, tenon diff');
  });

  it('answers --help and --version wherever they stand', () => {
    expect(parseArguments(['call', '--help']).command).toBe('help');
    for (const asked of [
      ['mcp', 'add', 'x', '--help'],
      ['mcp', '-h'],
      ['--help', 'mcp'],
      ['help', 'mcp'],
    ])
      expect(parseArguments(asked)).toMatchObject({ command: 'help', words: ['mcp'] });
    for (const asked of [['--help'], ['do', 'it', '--help'], ['help']])
      expect(parseArguments(asked).words[0]).not.toBe('mcp');
    expect(parseArguments(['--version', 'demo']).command).toBe('version');
    expect(parseArguments(['-h', '-p', 'x']).command).toBe('help');
  });

  it('takes help and version for what --help and --version are', () => {
    expect(parseArguments(['help']).command).toBe('help');
    expect(parseArguments(['help', 'sessions']).command).toBe('help');
    expect(parseArguments(['version']).command).toBe('version');
    const prompts = [['help', 'me'], ['help', 'undo', 'this'], ['help me'], ['version', 'numbers'], ['--', 'help']];
    for (const words of prompts) expect(parseArguments(words).command).toBe('run');
    expect(parseArguments(['-p', 'help'])).toMatchObject({ command: 'run', options: { prompt: 'help' } });
  });

  it.each([
    [['--modell', 'x'], 'Unknown option --modell. Did you mean --model?'],
    [['--zzzzzz'], 'Unknown option --zzzzzz. `tenon --help` lists the options.'],
    [['-x'], 'Unknown option -x.'],
    [['mcp', 'add', 'files', 'npx', '-y', 'srv'], 'go behind --: tenon mcp add files -- npx -y …'],
    [['cofnig'], 'Unknown command "cofnig". Did you mean "config"? To send it as a prompt: tenon -p "cofnig"'],
    [['sesions'], 'Unknown command "sesions". Did you mean "sessions"? To send it as a prompt: tenon -p "sesions"'],
    [['udno'], 'Did you mean "undo"?'],
    [['hepl'], 'Did you mean "help"?'],
    [['versoin', '--quiet'], 'Did you mean "version"?'],
    [['help', 'sesions'], 'Unknown command "sesions". Did you mean "help sessions"?'],
    [['--output-format', 'jsn', '-p', 'x'], 'Did you mean json?'],
    [['--approval-mode', 'yolo!'], 'must be one of plan, default, auto_edit, yolo, not "yolo!". Did you mean yolo?'],
    [['--max-turns', '0'], '--max-turns must be a whole number above 0, not "0".'],
    [['--max-turns', '1e3'], 'not "1e3"'],
    [['--max-turns=-1'], 'not "-1"'],
    [['--model'], '--model needs a value: --model=NAME.'],
    [['--model', '--quiet'], 'If --quiet is meant as the value, write --model=--quiet.'],
    [['--model', ' '], '--model needs a value that is not empty.'],
    [['--quiet=yes'], '--quiet takes no value.'],
    [
      ['--json', 'x'],
      '--json does not go with a prompt; it belongs to: tenon tools, tenon call, tenon config, tenon policy, tenon trust, tenon mcp, tenon undo',
    ],
    [['demo', '--model', 'x'], '--model does not go with "tenon demo"'],
    [['call', 'read_file'], '"tenon call" takes a tool and its arguments as JSON'],
    [['config', 'x'], '"tenon config" takes no further words.'],
  ])('refuses %j with one line and the nearest right word', (args, message) => {
    const failure = failureOf(...args);
    expect(failure.exitCode).toBe(ExitCode.USAGE);
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain('\n');
  });

  it('takes a sentence that begins like a command as a prompt', () => {
    expect(parseArguments(['tool up the shed']).command).toBe('run');
    expect(parseArguments(['cal', 'me', 'later']).command).toBe('run');
  });

  it('has a sentence for each option and no short form twice', () => {
    for (const option of OPTIONS) expect(option.sentence).toMatch(/\.$/);
    const shorts = OPTIONS.flatMap((option) => option.short ?? []);
    expect(new Set(shorts).size).toBe(shorts.length);
  });
});
