import { afterEach, describe, expect, it } from 'vitest';
import { createBench, type Bench } from './cli-process.js';

let bench: Bench | undefined;
afterEach(async () => bench?.end());

const kit = (base: string) => ({
  [`${base}/gemini-extension.json`]: '{"name": "kit", "version": "1.0.0"}',
  [`${base}/GEMINI.md`]: 'The kit has a hammer.',
  [`${base}/commands/nail.toml`]: 'description = "Hits."\nprompt = "Hit {{args}} with the hammer."\n',
  [`${base}/commands/help.md`]: 'Help with nails.',
  [`${base}/skills/saw/SKILL.md`]: '---\nname: saw\ndescription: Saws boards.\n---\nSaw.',
});

describe('extensions in the built program', () => {
  it('bring context, commands and skills to a run without a person (S142)', async () => {
    bench = await createBench([{ text: 'ok' }, { text: 'ok' }], {
      home: { ...kit('extensions/kit'), 'commands/help.md': 'My own.' },
    });
    expect(await bench.run(['-p', '/nail it'])).toMatchObject({ code: 0, stdout: 'ok\n' });
    const said = JSON.stringify(bench.model.requests[0]?.body);
    expect(said).toContain('Hit it with the hammer.');
    expect(said).toContain('The kit has a hammer.');
    expect(said).toContain('Saws boards.');
    expect(await bench.run(['-p', '/kit:help'])).toMatchObject({ code: 0 });
    expect(JSON.stringify(bench.model.requests[1]?.body)).toContain('Help with nails.');
    expect((await bench.run(['extensions'])).stdout).toContain('kit 1.0.0 (yours, used)');
  });

  it('of a cloned folder say nothing until the person trusts it', async () => {
    bench = await createBench([{ text: 'ok' }, { text: 'ok' }], { files: kit('.tenon/extensions/kit') });
    expect((await bench.run(['extensions'])).stdout).toContain('withheld');
    await bench.run(['-p', 'go']);
    expect(JSON.stringify(bench.model.requests[0]?.body)).not.toContain('hammer');
    await bench.run(['trust', '--yes']);
    await bench.run(['-p', 'go']);
    expect(JSON.stringify(bench.model.requests[1]?.body)).toContain('The kit has a hammer.');
  });
});
