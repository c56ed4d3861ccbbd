import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { decide } from '../policy/decide.js';
import type { Decision } from '../policy/verdict.js';
import { commandEffects } from '../shell/command-effects.js';
import { plainSurroundings } from '../testing/plain-surroundings.js';
import { offersTool } from '../tools/offered-tools.js';
import { readToolLists, type ToolListKey } from './tool-lists.js';

const read = (lists: Partial<Record<ToolListKey, readonly string[]>>) =>
  readToolLists(
    (['tools.core', 'tools.allowed', 'tools.exclude'] as const).flatMap((key) => {
      const texts = lists[key];
      return texts === undefined ? [] : [{ key, items: texts.map((text) => ({ text, origin: 'settings' })) }];
    }),
  );

function judge(text: string, lists: Parameters<typeof read>[0], mode: ApprovalMode): Decision {
  const effects = commandEffects(
    text,
    { directory: '/work/app', zone: 'workspace' },
    plainSurroundings('/work/app', '/home/ann'),
  );
  const context = { mode, rules: read(lists).rules, roots: ['/work/app'], home: '/home/ann' };
  return decide({ toolName: 'run_shell_command', effects }, context).decision;
}

describe('tools.allowed', () => {
  it.each(['run_shell_command(npm test)', 'ShellTool(npm test)', 'Bash(npm test:*)', 'run_shell_command(npm test *)'])(
    '%s allows what begins with those words',
    (text) => {
      const lists = { 'tools.allowed': [text] };
      expect(judge('npm test', lists, ApprovalMode.DEFAULT)).toBe('allow');
      expect(judge('npm test --watch', lists, ApprovalMode.DEFAULT)).toBe('allow');
      expect(judge('npm testing', lists, ApprovalMode.DEFAULT)).toBe('ask');
      expect(judge('npm test; npm publish', lists, ApprovalMode.DEFAULT)).toBe('ask');
    },
  );

  it('takes the names of other agents for a tool', () => {
    expect(
      read({ 'tools.allowed': ['WriteFileTool', 'Write', 'replace', 'alias__x'] }).rules.map(({ text }) => text),
    ).toEqual(['write_file', 'write_file', 'edit', 'alias__x']);
  });

  it('leaves out what it does not know, and says what to write', () => {
    const { rules, warnings } = read({ 'tools.allowed': ['read_file(x)', 'run_shell_command(a | b)', 'ShellTool('] });
    expect(rules).toEqual([]);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain('Write the name of a tool, or run_shell_command(git status)');
  });
});

describe('tools.exclude', () => {
  it('denies a command by its first words, and takes out a tool that is named alone', () => {
    const lists = { 'tools.exclude': ['run_shell_command(rm)', 'web_fetch', 'LSTool'] };
    expect(judge('rm -rf x', lists, ApprovalMode.YOLO)).toBe('deny');
    expect(judge('env rm x', lists, ApprovalMode.YOLO)).not.toBe('allow');
    expect(judge('npm test', lists, ApprovalMode.YOLO)).toBe('allow');
    expect(read(lists).offered).toEqual({ without: ['web_fetch', 'list_directory'] });
  });

  it('keeps an item that it cannot read as a deny rule, which stops the run', () => {
    expect(read({ 'tools.exclude': ['run_shell_command(rm'] }).rules).toEqual([
      { list: 'deny', text: 'run_shell_command(rm', origin: 'settings' },
    ]);
  });
});

describe('tools.core', () => {
  it('offers only what it names', () => {
    expect(read({ 'tools.core': ['read_file', 'ShellTool'] })).toMatchObject({
      rules: [],
      offered: { only: ['read_file', 'run_shell_command'], without: [] },
    });
    expect(read({ 'tools.core': [] }).offered).toEqual({ without: [] });
    expect(read({ 'tools.core': ['nonsense('] }).offered).toEqual({ only: [], without: [] });
  });

  it('offers the shell for the commands that it names, and denies all others', () => {
    const lists = { 'tools.core': ['run_shell_command(git)', 'run_shell_command(npm test)'] };
    for (const mode of [ApprovalMode.DEFAULT, ApprovalMode.YOLO]) {
      expect(judge('npm run build', lists, mode)).toBe('deny');
      expect(judge('git log; rm x', lists, mode)).toBe('deny');
      expect(judge('env git log', lists, mode)).toBe('deny');
      expect(judge('A=b git log', lists, mode)).toBe('deny');
      expect(judge('$X', lists, mode)).toBe('deny');
    }
    expect(judge('npm test -- a', lists, ApprovalMode.YOLO)).toBe('allow');
    expect(judge('npm test -- a', lists, ApprovalMode.DEFAULT)).toBe('ask');
  });

  it('of two files offers what both name', () => {
    const items = (...texts: string[]) => texts.map((text) => ({ text, origin: 'settings' }));
    const lists = [
      { key: 'tools.core' as const, items: items('read_file', 'edit') },
      { key: 'tools.core' as const, items: items('edit', 'glob') },
    ];
    expect(readToolLists(lists).offered.only).toEqual(['edit']);
  });
});

describe('tools of servers', () => {
  const names = ['srv__a', 'other__b', 'edit', 'my_tool'];
  const offered = (lists: Parameters<typeof read>[0]): string[] => names.filter(offersTool(read(lists).offered));

  it.each([
    ['srv__a', 'srv__a', ['other__b', 'edit', 'my_tool']],
    ['mcp__srv__a', 'srv__a', ['other__b', 'edit', 'my_tool']],
    ['srv__*', 'srv__*', ['other__b', 'edit', 'my_tool']],
    ['mcp__srv', 'srv__*', ['other__b', 'edit', 'my_tool']],
    ['mcp__srv__*', 'srv__*', ['other__b', 'edit', 'my_tool']],
    ['mcp__*', 'mcp__*', ['edit', 'my_tool']],
  ])('are taken out by %s, denied and not offered', (text, rule, left) => {
    expect(read({ 'tools.exclude': [text] }).rules).toMatchObject([{ list: 'deny', text: rule }]);
    expect(offered({ 'tools.exclude': [text] })).toEqual(left);
  });

  it('are allowed by name or server, and limited by a list that names some', () => {
    expect(read({ 'tools.allowed': ['mcp__srv', 'mcp__srv__a'] }).rules.map(({ text }) => text)).toEqual([
      'srv__*',
      'srv__a',
    ]);
    expect(offered({ 'tools.core': ['edit'] })).toEqual(names);
    expect(offered({ 'tools.core': ['edit', 'mcp__srv'] })).toEqual(['srv__a', 'edit', 'my_tool']);
  });
});
