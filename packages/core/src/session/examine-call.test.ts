import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import type { Rule } from '../policy/rule.js';
import { createTempConfig, type TempConfig } from '../testing/temp-config.js';
import { examineCall, type ExaminedCall } from './examine-call.js';

let temp: TempConfig;
beforeEach(async () => {
  temp = await createTempConfig();
});
afterEach(() => temp.remove());

async function examine(toolName: string, rules: readonly Rule[] = []): Promise<ExaminedCall> {
  const { config, workspace } = temp;
  const context = { mode: ApprovalMode.DEFAULT, rules, roots: [workspace.root], home: '/home/ann' };
  const services = { registry: config.getToolRegistry(), gate: config.getWorkspaceGate(), context };
  return examineCall({ toolName, argumentsText: '{}' }, services, new AbortController().signal);
}

describe('a call of a tool of a server that is not connected', () => {
  it('is judged by its name, as one of which nothing is known', async () => {
    for (const name of ['srv__do', 'mcp__srv__do']) {
      const { explanation, text, choices } = await examine(name);
      expect(explanation).toMatchObject({ toolName: 'srv__do', decision: 'ask' });
      expect(text).toContain(
        'call do of the server srv, which may do anything, since its server was not asked for this',
      );
      expect(choices).toEqual([
        { kind: 'exact', rules: ['srv__do'] },
        { kind: 'general', rules: ['srv__*'] },
      ]);
    }
    const allowed = await examine('srv__do', [{ list: 'allow', text: 'mcp__srv', origin: 'test' }]);
    expect(allowed.explanation.decision).toBe('allow');
  });

  it('is not what a name of no server is', async () => {
    await expect(examine('no_such_tool')).rejects.toThrow(/no tool named "no_such_tool"/);
    await expect(examine('mcp__srv')).rejects.toThrow(/no tool named/);
  });
});
