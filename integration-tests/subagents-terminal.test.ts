import type { RecordedRequest, ScriptedTurn, TurnFunction } from '@tenon/core/testing';
import { expect, test } from 'vitest';
import {
  describeInTerminal,
  READY,
  sessionForEachTest,
  type SessionOptions,
  type TerminalSession,
} from './terminal-session.js';

const sessions = sessionForEachTest();

/** Who asks the model, and how many answers it had. */
type Script = (who: string, said: number) => ScriptedTurn | Promise<ScriptedTurn>;

async function open(script: Script, options?: SessionOptions): Promise<TerminalSession> {
  const turn: TurnFunction = (request: RecordedRequest) => {
    const [first] = request.body.messages;
    const who = /You are the subagent \S+ \((a[\d.]+)\)/.exec(JSON.stringify(first?.content ?? ''))?.[1] ?? 'main';
    return script(who, request.body.messages.filter(({ role }) => role === 'assistant').length);
  };
  const turns = Array.from({ length: 100 }, () => turn);
  return sessions.open(turns, options);
}

const task = (more: object = {}) => ({
  name: 'task',
  arguments: { description: 'find the parser', prompt: 'look', subagent_type: 'explore', ...more },
});
const list = (): ScriptedTurn => ({
  toolCalls: [{ name: 'list_directory', arguments: { path: sessions.current().bench.workspace } }],
});
const shell = (command: string): ScriptedTurn => ({
  toolCalls: [{ name: 'run_shell_command', arguments: { command, description: 'x' } }],
});
const never: ScriptedTurn = { text: 'never', hangAfterChunks: 0 };
/** Keys that are pressed before something could be seen do not count. */
const seen = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));
const gate = (): { readonly open: () => void; readonly opened: Promise<void> } => {
  let release = (): void => undefined;
  const opened = new Promise<void>((resolve) => (release = resolve));
  return { open: () => release(), opened };
};

describeInTerminal('subagents in a terminal', () => {
  test('are a tree while they work, one line when they are done, and all of it in the transcript', async () => {
    const end = gate();
    const { terminal, say } = await open(async (who, said) => {
      if (who === 'main') return said === 0 ? { toolCalls: [task()] } : { text: 'All done.' };
      if (said === 0) return list();
      await end.opened;
      return { text: 'It is in parse.ts.' };
    });
    await say('go');
    await terminal.waitFor(/● explore \(a1\) find the parser … 1 call/);
    await terminal.waitFor(/└ ● \S+ /);
    end.open();
    await terminal.waitFor('All done.');
    const shown = (await terminal.screen()).join('\n');
    expect(shown).toMatch(/● explore \(a1\) find the parser … 1 call, \d+ tokens/);
    expect(shown).not.toContain('└');
    expect(shown).not.toContain('It is in parse.ts.');
    await terminal.waitFor(READY);
    await terminal.press('C-o');
    await terminal.waitFor('This session');
    await seen();
    await terminal.type('a');
    await terminal.waitFor('It is in parse.ts.');
    await terminal.type('q');
    await terminal.waitFor(READY);
    await say('/agents');
    await terminal.waitFor(/explore \(a1\): find the parser … completed, 1 call/);
  });

  test('are named where they ask', async () => {
    const { terminal, say } = await open((who, said) => {
      if (who === 'main')
        return said === 0 ? { toolCalls: [task({ subagent_type: 'general' })] } : { text: 'All done.' };
      return said === 0 ? shell('touch made') : { text: 'Made.' };
    });
    await say('go');
    for (;;) {
      await terminal.waitFor('May it do this?');
      const asked = (await terminal.screen()).join('\n');
      if (asked.includes('general (a1): May it do this?')) break;
      await seen();
      await terminal.type('y');
    }
    expect((await terminal.screen()).join('\n')).toContain('The subagent general (a1) asks:');
    await seen();
    await terminal.type('y');
    await terminal.waitFor('All done.');
  });

  test('are readable when twenty work at once, and end together by Esc', async () => {
    const { terminal, say } = await open(
      (who, said) => {
        if (who === 'main') return { toolCalls: Array.from({ length: 20 }, () => task()) };
        return said === 0 ? list() : never;
      },
      { columns: 100, rows: 40, settings: '{"agents": {"maxParallel": 20}}' },
    );
    await say('go');
    await terminal.waitFor(/Running 20 subagents: 20 calls/);
    const lines = (await terminal.screen()).filter((line) => /^● explore \(a\d+\) find the parser … /.test(line));
    expect(lines).toHaveLength(20);
    await terminal.press('Escape');
    await terminal.waitFor('interrupted');
    await terminal.waitFor(READY);
    expect((await terminal.all()).filter((line) => /^– explore \(a\d+\) .*cancelled/.test(line))).toHaveLength(20);
  });

  test('in the background are counted below, and their end is told between prompts', async () => {
    const end = gate();
    const { terminal, say } = await open(async (who, said) => {
      if (who === 'main')
        return said === 0 ? { toolCalls: [task({ run_in_background: true })] } : { text: 'They are at it.' };
      await end.opened;
      return { text: 'It is in parse.ts.' };
    });
    await say('go');
    await terminal.waitFor('They are at it.');
    await terminal.waitFor('1 subagent in the background');
    expect((await terminal.screen()).join('\n')).toMatch(/● Task explore: find .* works in the background/);
    await terminal.waitFor(READY);
    end.open();
    await terminal.waitFor(/explore \(a1\) is done after/);
    expect((await terminal.screen()).join('\n')).not.toContain('1 subagent in the background');
    await say('and now');
    await terminal.waitFor(/They are at it\.[^]*They are at it\./);
    await terminal.waitFor(READY);
    expect((await terminal.all()).filter((line) => line.includes('is done after'))).toHaveLength(1);
  });

  test('are lines of their own in plain mode, questions too', async () => {
    const { terminal, say } = await open(
      (who, said) => {
        if (who === 'main')
          return said === 0 ? { toolCalls: [task({ subagent_type: 'general' })] } : { text: 'All done.' };
        return said === 0 ? shell('touch made') : { text: 'Made.' };
      },
      { args: ['--plain', '--allow', 'Task(*)'] },
    );
    await say('go');
    await terminal.waitFor('general (a1) begins: find the parser');
    await terminal.waitFor('The subagent general (a1) asks:');
    await terminal.waitFor('no (default) ›');
    await seen();
    await say('y');
    await terminal.waitFor(/general \(a1\) is done after/);
    await terminal.waitFor('All done.');
  });
});
