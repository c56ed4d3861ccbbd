import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { childEnvironment } from '../process/child-environment.js';
import type { CommandViewer, WatchedCommand, WatchedEnd } from '../process/command-viewer.js';
import { createTempConfig } from '../testing/temp-config.js';
import type { ShellToolParams } from './shell-params.js';
import { ShellTool } from './shell.js';
import { ToolErrorType, type ToolResult } from './tools.js';

const { config, reset, remove } = await createTempConfig({
  childEnvironment: childEnvironment(process.env, { roots: [], realPath: (path) => path }),
});
const tool = new ShellTool(config);
afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});
afterAll(remove);

const context = { callId: 'call-1', toolName: 'shell', title: 'x', stillShown: () => true };

interface Watching {
  readonly commands: WatchedCommand[];
  readonly ends: WatchedEnd[];
  readonly output: () => string;
}

function watching(whenShown: (command: WatchedCommand) => void = () => undefined): Watching {
  const commands: WatchedCommand[] = [];
  const ends: WatchedEnd[] = [];
  let output = '';
  const viewer: CommandViewer = (command) => {
    commands.push(command);
    command.listen((chunk) => (output += chunk.toString('latin1')));
    whenShown(command);
    return (end) => ends.push(end);
  };
  vi.spyOn(config, 'getCommandViewer').mockReturnValue(viewer);
  return { commands, ends, output: () => output };
}

function run(params: ShellToolParams, signal = new AbortController().signal): Promise<ToolResult> {
  return tool.build(params).execute(signal, undefined, context);
}

describe('a command that somebody shows while it runs', () => {
  it('is told with its call, its bytes as they are, and its end', async () => {
    const { commands, ends, output } = watching();
    await run({ command: String.raw`printf '\033[1m\0\377'; exit 4` });
    expect(commands.map(({ callId }) => callId)).toEqual(['call-1']);
    expect(output()).toBe('\u001b[1m\0\u00ff');
    expect(ends).toMatchObject([{ ending: 'exited', exitCode: 4, signal: null }]);
  });

  it('is stopped by them in the name of the user, which the model is told', async () => {
    const { ends } = watching((command) => setTimeout(command.stop, 50));
    const result = await run({ command: 'sleep 60' });
    expect(result.error?.type).toBe(ToolErrorType.CANCELLED);
    expect(result.llmContent).toContain('The user stopped the command');
    expect(ends).toMatchObject([{ ending: 'stopped' }]);
  });

  it('is over for them when it goes on in the background, and is not told when it began there', async () => {
    const { commands, ends } = watching();
    await run({ command: 'sleep 30', timeout: 100 });
    await run({ command: 'sleep 30', is_background: true });
    expect(ends).toEqual([{ ending: 'background', exitCode: null, signal: null }]);
    expect(commands).toHaveLength(1);
    await config.getJobs().endAll();
  });

  it('is over once when it is cancelled', async () => {
    const end = new AbortController();
    const { ends } = watching(() => setTimeout(() => end.abort(), 50));
    await run({ command: 'sleep 60' }, end.signal);
    expect(ends).toMatchObject([{ ending: 'cancelled' }]);
  });
});
