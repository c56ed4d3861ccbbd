import { expect, test } from 'vitest';
import { describeInTerminal, sessionForEachTest } from './terminal-session.js';
import { until } from './cli-process.js';

const LINE = 'Last here just now: "fix the failing test" · /resume or tenon --continue';

describeInTerminal('coming back to a folder', () => {
  const { open } = sessionForEachTest();

  test('shows one line about the last session, and nothing where there is none or it goes on (S139)', async () => {
    const turns = [{ text: 'Fixed.' }, { text: 'Again.' }];
    const { terminal, say, open: again } = await open(turns);
    expect((await terminal.all()).join('\n')).not.toContain('Last here');
    await say('fix the failing test');
    await terminal.waitFor('Fixed.');
    await terminal.press('C-d');
    await terminal.ended();

    const next = await again([]);
    const shown = await next.waitFor(LINE);
    expect(shown.filter((line) => line.includes('Last here'))).toHaveLength(1);
    expect(shown[0]).toMatch(/^tenon \d/);
    await next.press('C-d');
    await next.ended();

    // The one without a prompt does not count.
    const goesOn = await again(['--continue']);
    await goesOn.waitFor('Fixed.');
    expect((await goesOn.all()).join('\n')).not.toContain('Last here');
    await goesOn.type('/clear');
    await goesOn.press('Enter', 'C-d');
    await goesOn.ended();

    const plain = await again(['--plain']);
    await plain.waitFor(LINE);
    await plain.press('C-d');
    await plain.ended();
  });

  test('says that the last session was interrupted, when its process was killed', async () => {
    const { terminal, say, bench, open: again } = await open([{ text: 'never', hangAfterChunks: 0 }]);
    await say('rename everything');
    await until(() => bench.model.requests.length === 1, 'the request');
    process.kill(await terminal.processId(), 'SIGKILL');
    await terminal.ended();
    await (await again([])).waitFor('"rename everything" was interrupted · /resume');
  });

  test('says nothing where the person does not want it', async () => {
    const options = { settings: '{"ui": {"welcomeBack": false}}' };
    const { terminal, say, open: again } = await open([{ text: 'Fixed.' }], options);
    await say('fix it');
    await terminal.waitFor('Fixed.');
    await terminal.press('C-d');
    await terminal.ended();
    const next = await again([]);
    await next.type('/help');
    await next.press('Enter');
    await next.waitFor('Leaves.');
    expect((await next.all()).join('\n')).not.toContain('Last here');
  });
});
