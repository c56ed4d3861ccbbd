import { expect, it } from 'vitest';
import { ApprovalMode } from '../policy/approval-mode.js';
import { createTempConfig } from '../testing/temp-config.js';
import { builtinTools } from '../tools/builtin-tools.js';
import { systemPrompt } from './system-prompt.js';

it('sends at most 20,000 characters with every request: system prompt and all tool schemas together', async () => {
  const { config, workspace, remove } = await createTempConfig();
  try {
    // Those too that are offered in some sessions only.
    const tools = builtinTools(config).map(({ name, description, schema }) => ({
      name,
      description,
      parameters: schema,
    }));
    expect(tools.length).toBeGreaterThanOrEqual(10);
    const facts = { roots: [workspace.root], approvalMode: ApprovalMode.PLAN, platform: 'linux', canAsk: true };
    const prompt = systemPrompt(facts);
    expect(prompt.length).toBeGreaterThan(500);
    expect(prompt.length + JSON.stringify(tools).length).toBeLessThanOrEqual(20_000);
  } finally {
    await remove();
  }
});
