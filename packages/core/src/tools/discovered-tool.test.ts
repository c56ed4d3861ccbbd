import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandSupervisor } from '../process/command-supervisor.js';
import { joinWords } from '../util/split-words.js';
import { DiscoveredTool } from './discovered-tool.js';
import { discoverTools, type DiscoverOptions } from './discovery/discover-tools.js';
import { ToolRegistry } from './tool-registry.js';

let folder: string;
let supervisor: CommandSupervisor;
const signal = new AbortController().signal;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'discovered-')));
  supervisor = new CommandSupervisor();
});
afterEach(() => {
  supervisor.endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Of calls that no agent makes. */
const nothingIsWatched = (): never => {
  throw new Error('Nothing is watched here.');
};

/** A command that runs this script of the shell. */
const script = (text: string): string => joinWords(['sh', '-c', text, 'script']);
const printing = (value: unknown): string => script(`cat <<'END'\n${JSON.stringify(value)}\nEND`);

async function discover(
  discoveryCommand: string,
  callCommand = 'cat',
  change: Partial<DiscoverOptions> = {},
  until = signal,
) {
  const options: DiscoverOptions = {
    discoveryCommand,
    callCommand,
    connect: supervisor.connect,
    environment: { PATH: process.env['PATH'] ?? '' },
    folder,
    runtime: { getFileChanges: nothingIsWatched },
    taken: () => false,
    ...change,
  };
  return discoverTools(options, until);
}

const ANY = [{ name: 'any', description: 'Any.', parameters: { type: 'object' } }];

/** A tool that runs this script of the shell when it is called. */
async function toolThat(text: string, change: Partial<DiscoverOptions> = {}): Promise<DiscoveredTool> {
  const { tools, problems } = await discover(printing(ANY), script(text), change);
  expect(problems).toEqual([]);
  const [tool] = tools;
  if (tool === undefined) throw new Error('No tool was discovered.');
  return tool;
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('discovery', () => {
  it('gives a tool for each declaration, ready for the registry (S130)', async () => {
    const parameters = { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] };
    const { tools, problems } = await discover(printing([{ name: 'get_time', description: 'The time.', parameters }]));
    expect(problems).toEqual([]);
    const [tool] = tools;
    expect(tool).toBeInstanceOf(DiscoveredTool);
    expect(tool).toMatchObject({
      name: 'get_time',
      description: 'The time.',
      ownName: 'get_time',
      canUpdateOutput: true,
    });
    const registry = new ToolRegistry();
    for (const each of tools) registry.registerTool(each);
    expect(registry.getToolsForModel()).toEqual([{ name: 'get_time', description: 'The time.', parameters }]);
    expect(tool?.validateToolParams({})).toContain('zone');
  });

  it('leaves out what cannot be used, with the reason, and mends what can be', async () => {
    const { tools, problems } = await discover(
      printing([
        { description: 'nameless' },
        { name: 'no_schema', description: 'x' },
        { name: 'gemini', description: 'x', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
        {
          name: 'remote',
          description: 'x',
          parameters: { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } },
        },
        { name: 'twice', description: 'the first' },
        { name: 'twice', description: 'the second' },
        5,
        { name: 'odd name!', description: 'x' },
      ]),
    );
    expect(tools.map(({ name }) => name)).toEqual([
      'no_schema',
      'gemini',
      'twice',
      expect.stringMatching(/^discovered__odd_name_\w{12}$/),
    ]);
    expect(tools[1]?.validateToolParams({ a: 7 })).toContain('string');
    expect(tools[2]?.description).toBe('the first');
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining('no name'),
        expect.stringContaining('remote'),
        expect.stringContaining('twice'),
        expect.stringContaining('Entry 7'),
      ]),
    );
  });

  it('never takes the name of another tool', async () => {
    const { tools } = await discover(printing([{ name: 'edit', description: 'x' }]), 'cat', {
      taken: (name) => name === 'edit',
    });
    expect(tools.map(({ name, ownName }) => ({ name, ownName }))).toEqual([
      { name: 'discovered__edit', ownName: 'edit' },
    ]);
  });

  it('fails with the exit code and the last of stderr', async () => {
    expect(await discover(script('echo "[]"; echo "no database" >&2; exit 4'))).toEqual({
      tools: [],
      problems: [
        expect.stringMatching(
          /^No tools were discovered by `sh -c .*` ?\. It failed with exit code 4\.\nno database$/s,
        ),
      ],
    });
  });

  it('goes on when stderr was written to', async () => {
    expect(await discover(script(`echo warning >&2; echo '${JSON.stringify(ANY)}'`))).toMatchObject({
      tools: [{ name: 'any' }],
      problems: [],
    });
  });

  it.each([
    ['is no program', 'no-such-program', 'not found'],
    ['would need a shell', 'a | b', 'without a shell'],
    ['prints no JSON', 'echo hello', 'no JSON'],
    ['prints too much', 'yes', 'printed more than 4,194,304 bytes'],
    ['takes too long', 'sleep 60', 'longer than 0.3 s'],
  ])(
    'says so when the command %s',
    async (_what, command, reason) => {
      const { tools, problems } = await discover(command, 'cat', command === 'sleep 60' ? { timeoutMs: 300 } : {});
      expect(tools).toEqual([]);
      expect(problems).toEqual([expect.stringContaining(reason)]);
    },
    20_000,
  );

  it('needs a command that runs the tools', async () => {
    expect(await discover(printing(ANY), '')).toEqual({
      tools: [],
      problems: [expect.stringContaining('tools.callCommand')],
    });
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const found = discover('/bin/sleep 60', 'cat', {}, stop.signal);
    await sleep(50);
    stop.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
  });
});

describe.skipIf(process.platform === 'win32')('a discovered tool', () => {
  it('runs the call command with its name, its arguments on stdin, in the folder (S131)', async () => {
    const tool = await toolThat('pwd; echo "$1 of $#"; cat; env | grep -c SECRET', {
      environment: { PATH: process.env['PATH'] ?? '' },
    });
    const params = { text: `"'\n\u0000😀$HOME`, list: [1, null] };
    const result = await tool.build(params).execute(signal);
    expect(result).toMatchObject({
      llmContent: `${folder}\nany of 1\n${JSON.stringify(params)}0\nIt failed with exit code 1.`,
    });
  });

  it('answers with its stdout, as text, JSON too; stderr is shown behind it and is no failure', async () => {
    const json = await toolThat(`echo '{"llmContent": "x"}'`);
    expect(await json.build({}).execute(signal)).toEqual({ llmContent: '{"llmContent": "x"}' });
    const loud = await toolThat('echo out; echo warning >&2');
    expect(await loud.build({}).execute(signal)).toEqual({ llmContent: 'out\n[stderr]\nwarning' });
    const silent = await toolThat('true');
    expect(await silent.build({}).execute(signal)).toEqual({ llmContent: '(no output)' });
  });

  it('fails by its exit code or a signal, and says which, with all that it printed', async () => {
    const exits = await toolThat('echo out; echo reason >&2; exit 3');
    expect(await exits.build({}).execute(signal)).toEqual({
      llmContent: 'out\n[stderr]\nreason\nIt failed with exit code 3.',
      returnDisplay: 'out\n[stderr]\nreason\nIt failed with exit code 3.',
      error: { type: 'execution_failed', message: 'It failed with exit code 3.\nreason' },
    });
    const killed = await toolThat('kill -SEGV $$');
    expect(await killed.build({}).execute(signal)).toMatchObject({
      error: { message: 'It was ended by the signal SIGSEGV.' },
    });
  });

  it('is told from one that is not there any more', async () => {
    const { tools } = await discover(printing(ANY), 'no-such-program');
    expect(await tools[0]?.build({}).execute(signal)).toMatchObject({
      error: { type: 'program_not_started', message: expect.stringContaining('not found') },
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'ends with its time, and takes along what it started',
    async () => {
      const pidFile = join(folder, 'pid');
      const tool = await toolThat(`trap '' TERM; setsid sleep 60 & echo $! > ${pidFile}; echo begun; sleep 60`, {
        callTimeoutMs: 700,
      });
      const result = await tool.build({}).execute(signal);
      expect(result).toMatchObject({
        llmContent: 'begun\nIt was ended: it took longer than 0.7 s.',
        error: { type: 'timed_out' },
      });
      expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    },
    20_000,
  );

  it.skipIf(process.platform !== 'linux')(
    'ends when the call is cancelled, with all that it started',
    async () => {
      const pidFile = join(folder, 'pid');
      const tool = await toolThat(`setsid sleep 60 & echo $! > ${pidFile}; sleep 60`);
      const stop = new AbortController();
      const running = tool.build({}).execute(stop.signal);
      while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
      stop.abort();
      expect(await running).toMatchObject({ error: { type: 'cancelled' } });
      expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
    },
    20_000,
  );

  it('is ended when it prints without end; the beginning and the end are kept', async () => {
    const tool = await toolThat('yes', { outputBytes: 100_000 });
    const result = await tool.build({}).execute(signal);
    expect(result.error?.message).toMatch(/printed more than 100,000 bytes/);
    expect(JSON.stringify(result.llmContent).length).toBeLessThan(160_000);
  });

  it('takes large arguments and gives large results whole', async () => {
    const tool = await toolThat('cat');
    const text = 'äx'.repeat(1_000_000);
    expect(await tool.build({ text }).execute(signal)).toEqual({ llmContent: JSON.stringify({ text }) });
  });

  it('shows its newest output while it runs', async () => {
    const go = join(folder, 'go');
    const tool = await toolThat(`echo first; while [ ! -e ${go} ]; do sleep 0.05; done; echo last`);
    const shown: unknown[] = [];
    const running = tool.build({}).execute(signal, (output) => shown.push(output));
    while (shown.length === 0) await sleep(20);
    writeFileSync(go, '');
    expect(await running).toEqual({ llmContent: 'first\nlast' });
    expect(shown[0]).toBe('first\n');
  });

  it('tells of nothing what it does, and of itself what is run with what', async () => {
    const tool = await toolThat('true');
    const invocation = tool.build({ a: 1 });
    const [effect] = (await invocation.effects?.()) ?? [];
    expect(effect).toEqual({
      kind: 'foreign',
      from: 'discovered',
      tool: 'any',
      does: 'unknown',
      reason: expect.any(String),
      definition: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect(await invocation.confirmationDetails?.(signal)).toEqual({
      type: 'exec',
      title: 'Call the discovered tool any',
      command: 'sh -c true script any\nwith this on its input:\n{\n  "a": 1\n}',
      directory: folder,
    });
    const other = await toolThat('false');
    expect(await other.build({ a: 1 }).effects?.()).not.toEqual([effect]);
  });
});
