import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { NewSessionResponse } from '@agentclientprotocol/sdk';
import { createAcpBench, type AcpBench, type AcpBenchOptions } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

async function start(turns: Parameters<typeof createAcpBench>[0], options?: AcpBenchOptions): Promise<AcpBench> {
  bench = await createAcpBench(turns, options);
  return bench;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('sessions of an editor', () => {
  it('refuse folders that are not absolute or not there, as bad parameters', async () => {
    const { request } = await start([]);
    for (const cwd of ['work', './x', '/no/such/folder/at/all'])
      await expect(request('session/new', { cwd, mcpServers: [] })).rejects.toMatchObject({ code: -32602 });
    await expect(request('session/list', { cwd: 'relative' })).rejects.toMatchObject({ code: -32602 });
  });

  it('refuse parameters of another form as bad parameters, and methods that there are not', async () => {
    const { request } = await start([]);
    await expect(request('session/new' as string, { cwd: 5 })).rejects.toMatchObject({ code: -32602 });
    await expect(request('session/prompt' as string, { sessionId: 'x' })).rejects.toMatchObject({ code: -32602 });
    await expect(request('_nobody/knows', {})).rejects.toMatchObject({ code: -32601 });
  });

  it('say that a model is missing, and how to get one', async () => {
    const { request, initialized } = await start([], { hasModel: false });
    await expect(request('session/new', { cwd: bench?.workspace ?? '', mcpServers: [] })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('There are three ways to get one') as string,
    });
    expect(initialized.authMethods?.map(({ id }) => id)).toEqual(['model-settings']);
    await expect(request('authenticate', { methodId: 'model-settings' })).rejects.toMatchObject({ code: -32000 });
    await expect(request('authenticate', { methodId: 'other' })).rejects.toMatchObject({ code: -32602 });
  });

  it('do not begin between logout and authenticate; a terminal is offered where the client has one', async () => {
    const { request, newSession, initialized } = await start([], { capabilities: { auth: { terminal: true } } });
    expect(initialized.authMethods).toMatchObject([{ id: 'model-settings' }, { type: 'terminal', args: ['config'] }]);
    await request('logout', {});
    await expect(newSession()).rejects.toMatchObject({ code: -32000 });
    await request('authenticate', { methodId: 'model-settings' });
    expect((await newSession()).sessionId).toBeTruthy();
  });

  it.each(['/', '/no/such/folder', null])(
    'begin after authenticate where the agent was started in %s',
    async (startedIn) => {
      const { request, newSession } = await start([], { startedIn });
      await request('logout', {});
      await request('authenticate', { methodId: 'model-settings' });
      expect((await newSession()).sessionId).toBeTruthy();
    },
  );

  it('are not found when there are none of that id, whatever is asked of them', async () => {
    const { request, workspace: cwd } = await start([]);
    const prompt = [{ type: 'text' as const, text: 'x' }];
    for (const sessionId of [UNKNOWN, 'x', '../../etc/passwd']) {
      const wrong = { code: -32002 };
      await expect(request('session/load', { sessionId, cwd, mcpServers: [] })).rejects.toMatchObject(wrong);
      await expect(request('session/resume', { sessionId, cwd, mcpServers: [] })).rejects.toMatchObject(wrong);
      await expect(request('session/prompt', { sessionId, prompt })).rejects.toMatchObject(wrong);
      await expect(request('session/set_mode', { sessionId, modeId: 'plan' })).rejects.toMatchObject(wrong);
    }
  });

  it('are loaded with all that was said and done, before the answer; resumed without a word of it', async () => {
    const read = () => ({
      toolCalls: [{ name: 'read_file', arguments: { absolute_path: path.join(bench?.workspace ?? '', 'a.txt') } }],
    });
    const todo = {
      toolCalls: [{ name: 'todo_write', arguments: { todos: [{ id: '1', content: 'Look', status: 'in_progress' }] } }],
    };
    const first = await start(
      [read, todo, { thinking: 'Hm.', text: 'It says hi.' }, { text: 'Again.' }, { text: 'Third.' }],
      {
        files: { 'a.txt': 'hi\n' },
      },
    );
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'What does it say?');
    expect(first.updates('plan')).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'Look', status: 'in_progress', priority: 'medium' }] },
    ]);
    await first.request('session/close', { sessionId });
    const second = await first.again();
    await second.request('session/load', { sessionId, cwd: second.workspace, mcpServers: [] });
    const replayed = second.told.map(({ update }) => update.sessionUpdate);
    expect(replayed.filter((kind) => kind !== 'available_commands_update' && kind !== 'session_info_update')).toEqual([
      'user_message_chunk',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'plan',
      'agent_thought_chunk',
      'agent_message_chunk',
    ]);
    expect(second.updates('tool_call_update').at(-1)).toMatchObject({ status: 'completed' });
    expect(second.answer()).toBe('It says hi.');
    expect(await second.prompt(sessionId, 'And now?')).toBe('end_turn');
    const sent = JSON.stringify(second.model.requests.at(-1)?.body.messages);
    expect(sent).toContain('What does it say?');
    await second.request('session/close', { sessionId });
    const third = await second.again();
    await third.request('session/resume', { sessionId, cwd: third.workspace, mcpServers: [] });
    expect(third.updates('user_message_chunk')).toEqual([]);
    expect(third.updates('agent_message_chunk')).toEqual([]);
    expect(await third.prompt(sessionId, 'Once more')).toBe('end_turn');
    expect(JSON.stringify(third.model.requests.at(-1)?.body.messages)).toContain('And now?');
  });

  it('show changes as diffs when they are loaded, also those of several files', async () => {
    const at = (name: string): string => path.join(bench?.workspace ?? '', name);
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.txt',
      '@@',
      '-one',
      '+uno',
      '*** Add File: b.txt',
      '+new',
    ];
    const first = await start(
      [
        () => ({ toolCalls: [{ name: 'read_file', arguments: { absolute_path: at('src/a.txt') } }] }),
        () => ({
          toolCalls: [
            { name: 'edit', arguments: { file_path: at('src/a.txt'), old_string: 'two', new_string: 'due' } },
          ],
        }),
        () => ({ toolCalls: [{ name: 'write_file', arguments: { file_path: at('c.txt'), content: 'c\n' } }] }),
        () => ({ toolCalls: [{ name: 'apply_patch', arguments: { input: [...patch, '*** End Patch'].join('\n') } }] }),
        { text: 'Done.' },
      ],
      { files: { 'src/a.txt': `one\n${'same\n'.repeat(20)}two` } },
    );
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'Change them');
    const diffs = ({ updates }: AcpBench) =>
      updates('tool_call_update').flatMap(({ content }) =>
        (content ?? []).flatMap((each) => (each.type === 'diff' ? [[each.path, each.oldText, each.newText]] : [])),
      );
    const around = 'same\n'.repeat(3);
    const patched = [
      [at('src/a.txt'), `one\n${around}`, `uno\n${around}`],
      [at('b.txt'), null, 'new\n'],
    ];
    expect(diffs(first).slice(-2)).toEqual(patched);
    await first.request('session/close', { sessionId });
    const second = await first.again();
    await second.request('session/load', { sessionId, cwd: second.workspace, mcpServers: [] });
    expect(diffs(second)).toEqual([
      [at('src/a.txt'), `${around}two`, `${around}due`],
      [at('c.txt'), null, 'c\n'],
      ...patched,
    ]);
  });

  it('are not opened twice: by the same client it is the one that is open, and of others they can be read', async () => {
    const { newSession, prompt, request, again, workspace, updates } = await start([
      { text: 'Hello.' },
      { text: 'More.' },
    ]);
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Hi');
    const known = { sessionId, cwd: workspace, mcpServers: [] };
    const other = await again();
    const isOpen = { code: -32600, message: expect.stringContaining('fork') as string };
    await expect(other.request('session/resume', known)).rejects.toMatchObject(isOpen);
    await other.request('session/load', known);
    expect(other.updates('user_message_chunk')).toMatchObject([{ content: { text: 'Hi' } }]);
    expect(other.answer()).toBe('Hello.');
    expect(other.updates('agent_message_chunk').at(-1)).toMatchObject({
      content: { text: expect.stringContaining('can only be read here') as string },
    });
    await expect(other.prompt(sessionId, 'Go on')).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('Fork it') as string,
    });
    await request('session/load', known);
    expect(updates('user_message_chunk')).toMatchObject([{ content: { text: 'Hi' } }]);
    await request('session/close', { sessionId });
    // The other process has closed it.
    await other.request('session/load', known);
    expect(await other.prompt(sessionId, 'Go on')).toBe('end_turn');
  });

  it('can be forked wherever they are open: the copy goes on by itself', async () => {
    const {
      newSession,
      prompt,
      request,
      again,
      workspace: cwd,
      initialized,
    } = await start([{ text: 'Hello.' }, { text: 'In the copy.' }]);
    expect(initialized.agentCapabilities?.sessionCapabilities).toMatchObject({ fork: {} });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Hi');
    const other = await again();
    const fork = (params: object): Promise<NewSessionResponse> =>
      other.request('session/fork' as string, params) as Promise<NewSessionResponse>;
    const { sessionId: copy, modes } = await fork({ sessionId, cwd, mcpServers: [] });
    expect(copy).not.toBe(sessionId);
    expect(modes).toMatchObject({ currentModeId: 'default' });
    expect(await other.prompt(copy, 'And now?')).toBe('end_turn');
    expect(JSON.stringify(other.model.requests.at(-1)?.body.messages)).toMatch(/Hi.*Hello\..*And now\?/);
    await expect.poll(() => other.updates('session_info_update').at(-1)?.title).toBe('Hi');
    expect((await request('session/list', {})).sessions.map((each) => each.sessionId)).toEqual([copy, sessionId]);
    const wrong = { code: -32602 };
    await expect(fork({ sessionId })).rejects.toMatchObject(wrong);
    await expect(fork({ sessionId, cwd: 'relative' })).rejects.toMatchObject(wrong);
    await expect(fork({ sessionId, cwd, mcpServers: [{ name: 'x' }] })).rejects.toMatchObject(wrong);
    await expect(fork({ sessionId: UNKNOWN, cwd })).rejects.toMatchObject({ code: -32002 });
  });

  it('are loaded with the words of the person alone: what Tenon told the model beside them is not theirs', async () => {
    const file = (): string => path.join(bench?.workspace ?? '', 'a.txt');
    const first = await start([
      () => ({ toolCalls: [{ name: 'write_file', arguments: { file_path: file(), content: 'a\n' } }] }),
      { text: 'Written.' },
      { text: 'I see.' },
    ]);
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId, 'Write');
    await first.prompt(sessionId, '/undo');
    await first.prompt(sessionId, 'What now?');
    expect(JSON.stringify(first.model.requests.at(-1)?.body.messages)).toContain('[The user took back changes of');
    await first.request('session/close', { sessionId });
    const second = await first.again();
    await second.request('session/load', { sessionId, cwd: second.workspace, mcpServers: [] });
    expect(second.updates('user_message_chunk').map(({ content }) => content)).toEqual([
      { type: 'text', text: 'Write' },
      { type: 'text', text: 'What now?' },
    ]);
  });

  it('have titles without the folders that everything is in; commands are shown as they are', async () => {
    const at = (name: string): string => path.join(bench?.workspace ?? '', name);
    const { newSession, request, updates, workspace, permissions } = await start(
      [
        () => ({
          toolCalls: [
            { name: 'read_file', arguments: { absolute_path: at('src/a.txt') } },
            { name: 'list_directory', arguments: { path: at('') } },
            { name: 'read_many_files', arguments: { paths: [at('src/a.txt'), at('b.txt')] } },
            { name: 'grep_search', arguments: { pattern: 'x', path: at('src') } },
            { name: 'run_shell_command', arguments: { command: `touch ${at('c.txt')}`, description: '' } },
          ],
        }),
        { text: 'Done.' },
      ],
      { files: { 'src/a.txt': 'x\n', 'b.txt': 'y\n' } },
    );
    const { sessionId } = await newSession();
    const prompt = [
      { type: 'text' as const, text: 'Explain ' },
      { type: 'resource_link' as const, uri: `file://${at('src/a.txt')}#L1`, name: 'a.txt' },
    ];
    await request('session/prompt', { sessionId, prompt });
    expect(updates('session_info_update').at(-1)).toMatchObject({ title: 'Explain @src/a.txt#L1' });
    expect((await request('session/list', {})).sessions).toMatchObject([{ title: 'Explain @src/a.txt#L1' }]);
    const titles = updates('tool_call').map(({ title }) => title);
    expect(titles.filter((title) => title.includes(workspace))).toEqual([`touch ${at('c.txt')}`]);
    expect(permissions[0]?.toolCall.title).toBe(`touch ${at('c.txt')}`);
  });

  it('are listed newest first, by folder and page by page, and deleted once they are closed', async () => {
    const { newSession, prompt, request, folder, workspace } = await start([
      { text: 'a' },
      { text: 'b' },
      { text: 'c' },
    ]);
    const other = path.join(folder, 'other');
    await mkdir(other);
    const ids: string[] = [];
    for (const [cwd, text] of [
      [workspace, 'First thing'],
      [workspace, 'Second thing'],
      [other, 'Elsewhere'],
    ] as const) {
      const { sessionId } = await newSession({ cwd });
      await prompt(sessionId, text);
      ids.push(sessionId);
    }
    const all = await request('session/list', {});
    expect(all.sessions.map(({ sessionId, title, cwd }) => [sessionId, title, cwd])).toEqual([
      [ids[2], 'Elsewhere', other],
      [ids[1], 'Second thing', workspace],
      [ids[0], 'First thing', workspace],
    ]);
    expect(all.nextCursor ?? undefined).toBeUndefined();
    expect((await request('session/list', { cwd: other })).sessions.map(({ sessionId }) => sessionId)).toEqual([
      ids[2],
    ]);
    await expect(request('session/list', { cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 });
    const [first = ''] = ids;
    await expect(request('session/delete', { sessionId: first })).rejects.toMatchObject({ code: -32600 });
    await request('session/close', { sessionId: first });
    await request('session/delete', { sessionId: first });
    expect((await request('session/list', {})).sessions.map(({ sessionId }) => sessionId)).toEqual([ids[2], ids[1]]);
  });

  it('close with what runs in them: the prompt is answered as cancelled', async () => {
    const { newSession, prompt, request } = await start([{ text: 'never', hangAfterChunks: 0 }]);
    const { sessionId } = await newSession();
    const answer = prompt(sessionId, 'Go');
    await expect.poll(() => bench?.model.requests.length).toBe(1);
    await request('session/close', { sessionId });
    expect(await answer).toBe('cancelled');
    await expect(prompt(sessionId, 'Again')).rejects.toMatchObject({ code: -32002 });
  });

  it('work in the folder of the session, told as the editor spells it', async () => {
    const { folder, newSession, prompt, updates, request } = await start([
      () => ({ toolCalls: [{ name: 'run_shell_command', arguments: { command: 'pwd', description: 'x' } }] }),
      () => ({
        toolCalls: [
          { name: 'read_file', arguments: { absolute_path: path.join(bench?.folder ?? '', 'real', 'a.txt') } },
        ],
      }),
      { text: 'Done.' },
    ]);
    await mkdir(path.join(folder, 'real'));
    await writeFile(path.join(folder, 'real', 'a.txt'), 'x\n');
    await symlink(path.join(folder, 'real'), path.join(folder, 'link'));
    const { sessionId } = await newSession({ cwd: path.join(folder, 'link') });
    await request('session/set_mode', { sessionId, modeId: 'yolo' });
    await prompt(sessionId, 'Where are you?');
    const output = JSON.stringify(updates('tool_call_update'));
    expect(output).toContain(await realpath(path.join(folder, 'real')));
    expect(updates('tool_call')[1]?.locations).toEqual([{ path: path.join(folder, 'link', 'a.txt') }]);
  });

  it('have the modes and options of one state, whichever way it is changed', async () => {
    const { newSession, request, prompt, updates } = await start([{ text: 'x' }]);
    const { sessionId } = await newSession();
    await expect(request('session/set_mode', { sessionId, modeId: 'nonsense' })).rejects.toMatchObject({
      code: -32602,
    });
    await request('session/set_mode', { sessionId, modeId: 'plan' });
    expect(updates('current_mode_update').at(-1)).toMatchObject({ currentModeId: 'plan' });
    expect(updates('config_option_update').at(-1)?.configOptions[0]).toMatchObject({ currentValue: 'plan' });
    const set = await request('session/set_config_option', { sessionId, configId: 'mode', value: 'auto_edit' });
    expect(set.configOptions[0]).toMatchObject({ currentValue: 'auto_edit' });
    expect(updates('current_mode_update').at(-1)).toMatchObject({ currentModeId: 'auto_edit' });
    const wrong = { sessionId, configId: 'nothing', value: 'x' };
    await expect(request('session/set_config_option', wrong)).rejects.toMatchObject({ code: -32602 });
    await request('session/set_config_option', { sessionId, configId: 'model', value: 'scripted-two' });
    await prompt(sessionId, 'Hi');
    expect(bench?.model.requests[0]?.body.model).toBe('scripted-two');
  });

  it('offer no mode above what the administrator allows', async () => {
    const { newSession, request } = await start([], { managed: '{"approvalMode": "default"}' });
    const { sessionId, modes } = await newSession();
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['plan', 'default']);
    const more = request('session/set_mode', { sessionId, modeId: 'yolo' });
    await expect(more).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('not permitted') as string,
    });
  });

  it.each([
    ['as notices at once, where the client has a place for them', { session: { notices: {} } }],
    ['among the messages of the first prompt, where it has none', {}],
  ])('tell what a person should know %s', async (_, capabilities) => {
    const showsNotices = 'session' in capabilities;
    const { newSession, prompt, updates } = await start([{ text: 'x' }], {
      files: { '.tenon/settings.json': '{"permissions": {"allow": ["Bash(rm *)"]}}', 'AGENTS.md': 'Be kind.' },
      capabilities,
    });
    const { sessionId } = await newSession();
    const notices = (): string[] => updates('notice').map(({ severity, title }) => `${severity}: ${title}`);
    const untrusted = expect.stringMatching(/^warning: .*tenon trust/) as string;
    if (showsNotices) await expect.poll(notices).toEqual([untrusted]);
    expect(updates('agent_message_chunk')).toEqual([]);
    await prompt(sessionId, 'Hi');
    await prompt(sessionId, '/compact');
    const short = 'info: The conversation is too short to be made any shorter.';
    const context = expect.stringMatching(/^(info|warning): Context.*AGENTS\.md/) as string;
    expect(notices()).toEqual(showsNotices ? [untrusted, context, short] : []);
    const notes = updates('agent_message_chunk').filter((chunk) => chunk._meta?.['tenon'] !== undefined);
    expect(notes).toHaveLength(showsNotices ? 0 : 3);
  });

  it('do without what of a project counts only where it is trusted, and say so once', async () => {
    const { newSession, prompt, updates } = await start([{ text: 'x' }, { text: 'y' }], {
      files: { '.tenon/settings.json': '{"permissions": {"allow": ["Bash(rm *)"]}}' },
    });
    const { sessionId } = await newSession();
    await prompt(sessionId, 'Hi');
    await prompt(sessionId, 'Hi again');
    const notes = updates('agent_message_chunk').filter((chunk) => JSON.stringify(chunk).includes('tenon trust'));
    expect(notes).toHaveLength(1);
  });
});
