import { afterEach, describe, expect, it } from 'vitest';
import { createAcpBench, type AcpBench } from './testing/acp-bench.js';

let bench: AcpBench | undefined;
afterEach(async () => bench?.end());

const skill = '---\nname: pdf\ndescription: Reads forms.\nargument-hint: FILE\n---\nRead $ARGUMENTS with care.';

describe('skills in an editor', () => {
  it('are commands, whose text goes to the model with what was said', async () => {
    bench = await createAcpBench([{ text: 'ok' }], { files: { '../home/.tenon/skills/pdf/SKILL.md': skill } });
    const { newSession, prompt, updates, model } = bench;
    const { sessionId } = await newSession();
    await expect.poll(() => updates('available_commands_update').length).toBeGreaterThan(0);
    expect(updates('available_commands_update')[0]?.availableCommands).toContainEqual({
      name: 'pdf',
      description: 'Reads forms. (skill, yours, ~/.tenon/skills)',
      input: { hint: 'FILE' },
    });
    expect(await prompt(sessionId, '/pdf a.pdf')).toBe('end_turn');
    const said = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(said).toContain('/pdf a.pdf');
    expect(said).toContain('Read a.pdf with care.');
  });

  it('are called by the model without a question, as reading', async () => {
    const call = { toolCalls: [{ name: 'skill', arguments: { name: 'pdf', args: 'b' } }] };
    bench = await createAcpBench([call, { text: 'ok' }], { files: { '../home/.tenon/skills/pdf/SKILL.md': skill } });
    const { newSession, prompt, updates, permissions } = bench;
    const { sessionId } = await newSession();
    expect(await prompt(sessionId, 'go')).toBe('end_turn');
    expect(permissions).toHaveLength(0);
    expect(updates('tool_call')[0]).toMatchObject({ kind: 'read' });
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('Read b with care.');
  });

  it('of a folder that is not trusted refuse', async () => {
    bench = await createAcpBench([{ text: 'ok' }], { files: { '.claude/skills/evil/SKILL.md': skill } });
    const { newSession, prompt, updates, model } = bench;
    const { sessionId } = await newSession();
    await prompt(sessionId, '/evil');
    expect(model.requests).toHaveLength(0);
    expect(JSON.stringify(updates('agent_message_chunk'))).toContain('tenon trust --yes');
  });
});
