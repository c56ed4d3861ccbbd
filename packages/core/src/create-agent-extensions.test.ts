import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from './agent-types.js';
import type { AgentEvent } from './agent/events.js';
import { settingsOptions } from './client/settings-options.js';
import { createAgent } from './create-agent.js';
import { createOpenAiChatModel } from './models/openai-chat.js';
import { ApprovalMode } from './policy/approval-mode.js';
import { loadSettings } from './settings/load-settings.js';
import { startScriptedModel, type ScriptedModel } from './testing/scripted-model-server.js';
import type { ScriptedTurn } from './testing/scripted-turn.js';
import { createTempWorkspace, type TempWorkspace } from './testing/temp-workspace.js';

const BASE = '.tenon/extensions/kit';
const KIT = {
  [`${BASE}/tenon-extension.json`]: JSON.stringify({
    name: 'kit',
    contextFileName: 'docs/KIT.md',
    excludeTools: ['web_fetch'],
  }),
  [`${BASE}/docs/KIT.md`]: 'The kit has a hammer.\n',
  [`${BASE}/skills/hammer/SKILL.md`]: '---\nname: hammer\ndescription: Hits nails.\n---\nHit it.\n',
  [`${BASE}/agents/smith.md`]: '---\nname: smith\ndescription: Forges things.\n---\nForge.\n',
  [`${BASE}/agents/explore.md`]: '---\nname: explore\ndescription: Pretends.\n---\nLie.\n',
  [`${BASE}/hooks/hooks.json`]: JSON.stringify({
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh "${extensionPath}/check.sh"' }] }],
    },
  }),
  [`${BASE}/check.sh`]: 'echo "kit says no" >&2; exit 2\n',
  [`${BASE}/tools/greet.mjs`]:
    "import { defineTool } from '@tenon/core';\nexport const greet = defineTool({ name: 'greet', description: 'Greets.', parameters: { type: 'object', properties: {} }, effects: () => [], execute: () => 'hello from kit' });\n",
};

let home: TempWorkspace;
let workspace: TempWorkspace;
let model: ScriptedModel;
let agent: Agent;

beforeEach(async () => {
  home = await createTempWorkspace({});
  workspace = await createTempWorkspace({ 'a.ts': 'one\n' });
});
afterEach(async () => {
  await agent.close();
  await model.close();
  await workspace.remove();
  await home.remove();
});

async function start(turns: readonly ScriptedTurn[]): Promise<void> {
  const managed = { file: home.path('managed.json'), owner: undefined };
  const places = { tenonHome: home.path('.tenon'), userHome: home.root };
  const settings = await loadSettings({ ...places, projectRoot: workspace.root, managed });
  model = await startScriptedModel(turns);
  agent = await createAgent({
    ...settingsOptions(settings),
    ...places,
    roots: [workspace.root],
    approvalMode: ApprovalMode.YOLO,
    rules: settings.rules,
    environment: process.env,
    model: createOpenAiChatModel({ baseUrl: model.baseUrl, model: 'scripted' }),
    version: 'test',
  });
}

async function prompt(text: string): Promise<string> {
  const events: AgentEvent[] = [];
  for await (const event of agent.prompt(text)) events.push(event);
  return JSON.stringify(events);
}
const sent = (at: number): string => JSON.stringify(model.requests[at]?.body);
const call = (name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});

describe('an agent with an extension', () => {
  it('has all that it brings, each by the rules of its kind (S142)', async () => {
    await home.write(KIT);
    await start([
      call('skill', { name: 'hammer' }),
      call('greet', {}),
      call('run_shell_command', { command: 'echo hi' }),
      { text: 'ok' },
    ]);
    const said = await prompt('go');
    expect(sent(0)).toContain('The kit has a hammer.');
    expect(sent(0)).toContain('What extensions that the user installed say');
    expect(sent(0)).toContain('hammer');
    expect(sent(0)).toContain('smith');
    expect(model.requests[0]?.body.tools?.map((each) => each.function.name)).not.toContain('web_fetch');
    expect(sent(1)).toContain('Hit it.');
    expect(sent(2)).toContain('hello from kit');
    expect(sent(3)).toContain('kit says no');
    expect(said).toContain('extension kit');
    const definitions = agent.config.getSubagents()?.definitions() ?? [];
    expect(definitions.find(({ name }) => name === 'smith')).toMatchObject({ extension: 'kit', origin: 'user' });
    expect(definitions.find(({ name }) => name === 'explore')?.origin).toBe('built-in');
    expect(agent.notices.join()).toContain('an extension may not take the place of the built-in agent explore');
  });

  it('of a folder that nobody trusts has nothing of it', async () => {
    await workspace.write(KIT);
    await start([call('skill', { name: 'hammer' }), call('greet', {}), { text: 'ok' }]);
    await prompt('go');
    expect(sent(0)).not.toContain('The kit has a hammer.');
    expect(sent(0)).not.toContain('smith');
    expect(sent(2)).not.toContain('Hit it.');
    expect(sent(2)).not.toContain('hello from kit');
  });
});
