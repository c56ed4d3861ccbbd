import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { createToolSystem } from '../create-agent.js';
import { systemPrompt } from './system-prompt.js';

describe('what every request carries', () => {
  it('stays within 20,000 characters: system prompt and all tool schemas together', async () => {
    const base = mkdtempSync(join(tmpdir(), 'tenon-size-'));
    try {
      const system = await createToolSystem({
        roots: [base],
        tenonHome: join(base, 'home'),
        userHome: base,
        approvalMode: ApprovalMode.DEFAULT,
        rules: [],
        environment: {},
      });
      const tools = system.config.getToolRegistry().getToolsForModel();
      await system.close();
      expect(tools.length).toBeGreaterThanOrEqual(10);
      const prompt = systemPrompt({ roots: [base], approvalMode: ApprovalMode.PLAN, platform: 'linux', canAsk: true });
      expect(prompt.length).toBeGreaterThan(500);
      expect(prompt.length + JSON.stringify(tools).length).toBeLessThanOrEqual(20_000);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
