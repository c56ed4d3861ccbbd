import { expect, it } from 'vitest';
import { ToolDisplayNames, ToolNames, type BaseTool } from '@tenon/core';
import { ExitCode } from './exit-codes.js';
import { findTool } from './find-tool.js';

const tools = Object.entries(ToolNames).map(
  ([key, name]) =>
    ({ name, displayName: Object.entries(ToolDisplayNames).find(([other]) => other === key)?.[1] }) as BaseTool,
);

it.each([
  ['run_shell_command', 'run_shell_command'],
  ['Bash', 'run_shell_command'],
  ['shell', 'run_shell_command'],
  ['ReadFile', 'read_file'],
  ['Read', 'read_file'],
  ['LS', 'list_directory'],
  ['Grep', 'grep_search'],
  ['Edit', 'edit'],
  ['Write', 'write_file'],
  ['search_file_content', 'grep_search'],
  ['Task', 'task'],
])('takes %s for %s', (name, tool) => {
  expect(findTool(name, tools).name).toBe(tool);
});

it.each([
  ['mcp_resource', 'comes with a server that offers resources; `tenon mcp list` shows the servers.'],
  ['McpResource', 'comes with a server that offers resources'],
  ['tool_search', 'comes when servers and programs bring more tools than fit into a request.'],
  ['web_search', 'It is not offered here; `tenon tools` lists those that are.'],
])('says of %s where it comes from when it is not there', (name, message) => {
  const there = tools.filter((tool) => !/mcp_resource|tool_search|web_search/.test(tool.name));
  expect(() => findTool(name, there)).toThrow(
    expect.objectContaining({ exitCode: ExitCode.USAGE, message: expect.stringContaining(message) }),
  );
});

it.each([
  ['raed_file', 'Did you mean read_file?'],
  ['Bsh', 'Did you mean Bash?'],
  ['no_such_tool_at_all', '`tenon tools` lists them.'],
  ['Bash(ls)', 'There is no tool "Bash(ls)".'],
  ['read_*', 'There is no tool "read_*".'],
  ['', 'There is no tool "".'],
])('refuses %j and says what was meant', (name, message) => {
  expect(() => findTool(name, tools)).toThrow(
    expect.objectContaining({ exitCode: ExitCode.USAGE, message: expect.stringContaining(message) }),
  );
});
