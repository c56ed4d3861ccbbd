import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from '../cli-process.js';
import { hasScript, openScript, type ScriptTerminal } from '../script-terminal.js';

const SERVER = new URL('./scripted-server.mjs', import.meta.url).pathname;
const EVERYTHING = new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url)
  .pathname;
const settingsFor = (program: string): string =>
  JSON.stringify({
    mcpServers: { odd: { command: process.execPath, args: [program], sampling: true } },
    permissions: { allow: ['odd__*'] },
  });
const SETTINGS = settingsFor(SERVER);

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.end();
  bench = undefined;
});

const call = (tool: string): ScriptedTurn => ({ toolCalls: [{ name: `odd__${tool}`, arguments: {} }] });

interface Session extends ScriptTerminal {
  readonly bench: Bench;
}

async function session(turns: readonly ScriptedTurn[], settings = SETTINGS): Promise<Session> {
  bench = await createBench(turns, { settings });
  return { ...openScript(bench, ['do it']), bench };
}

const lastRequest = ({ bench: { model } }: Session): string => model.requests.at(-1)?.bodyText ?? '';

describe.runIf(hasScript)('a server that asks the person at the terminal', () => {
  it('gets what was typed into its form, after a look at all of it', async () => {
    const at = await session([call('ask'), { text: 'Thank you.' }]);
    await at.sees('has a question with 1 field');
    await at.sees('│ Which colour?');
    await at.sees('[a] answer');
    at.types('a\r');
    await at.sees('│ colour');
    await at.sees('Enter alone: red');
    await at.sees('› ');
    at.types('blue\r');
    await at.sees('│ colour → blue');
    await at.sees('[s] send');
    at.types('s\r');
    await at.sees('Thank you.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('blue');
  });

  it('may ask with every kind of field that there is', async () => {
    const at = await session([call('trigger-elicitation-request'), { text: 'Thank you.' }], settingsFor(EVERYTHING));
    await at.sees('[a] answer');
    at.types('a\r');
    const steps = [
      ['Field 1 of 13', 'Ann'],
      ['Field 2 of 13', 'y'],
      ['Enter alone: It was a dark', ''],
      ['Field 4 of 13', 'no address'],
      ['It must be an email address', ''],
      ['Field 5 of 13', 'https://a.example/'],
      ['Field 6 of 13', '2026-02-29'],
      ['It must be a date', '2028-02-29'],
      ['Field 7 of 13', '101'],
      ['It must be at most 100', '7'],
      ['Field 8 of 13', ''],
      ['3  │ Joey', 'joey'],
      ['3  │ Violin', '3, piano'],
      ['2  │ Green Lantern', '2'],
      ['3  │ Trout', '1,2,3'],
      ['5  │ Reptiles', ''],
    ] as const;
    for (const [shown, line] of steps) {
      await at.sees(shown);
      await at.sees('› ');
      // What is typed before the question stands does not count.
      await new Promise((resolve) => setTimeout(resolve, 150));
      at.types(`${line}\r`);
    }
    await at.sees('│ Untitled Multiple Select Enum → Violin, Piano');
    await at.sees('[s] send');
    at.types('s\r');
    await at.sees('Thank you.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('Ann');
  });

  it('is asked one question after the other when two calls run at once', async () => {
    const both = [...(call('ask').toolCalls ?? []), ...(call('ask').toolCalls ?? [])];
    const at = await session([{ toolCalls: both }, { text: 'Both.' }]);
    for (const colour of ['blue', 'green']) {
      await at.sees('[a] answer');
      at.types('a\r');
      await at.sees('Enter alone: red');
      await at.sees('› ');
      at.types(`${colour}\r`);
      await at.sees('[s] send');
      at.types('s\r');
    }
    await at.sees('Both.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('blue');
    expect(lastRequest(at)).toContain('green');
  });

  it('gets nothing after Ctrl-C, which ends the run', async () => {
    const at = await session([call('ask'), { text: 'Never.' }]);
    await at.sees('[a] answer');
    at.types('\u0003');
    expect(await at.code).toBe(130);
    expect(at.screen()).not.toContain('Never.');
  });

  it('is told when the person declines, and the run goes on', async () => {
    const at = await session([call('ask'), { text: 'All right.' }]);
    await at.sees('[d] decline');
    at.types('d\r');
    await at.sees('All right.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('decline');
  });

  it('has a page opened only after the whole address was shown', async () => {
    const at = await session([call('ask_url'), { text: 'Paid.' }]);
    await at.sees('Page: https://example.invalid/pay?x=1');
    await at.sees('[o] open it');
    at.types('o\r');
    await at.sees('There is no browser to be started from here');
    await at.sees('Paid.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('accept');
  });

  it('gets an answer of the model after a yes to the question and a yes to the answer', async () => {
    const at = await session([call('sample'), { text: 'Yes, certainly.' }, { text: 'It got its answer.' }]);
    await at.sees('wants an answer of your model');
    await at.sees('It says: Say yes.');
    await at.sees('[y] ask the model');
    at.types('y\r');
    await at.sees('│ Yes, certainly.');
    await at.sees('[y] send it to the server');
    at.types('y\r');
    await at.sees('It got its answer.');
    expect(await at.code).toBe(0);
    expect(lastRequest(at)).toContain('Yes, certainly.');
  });
});

describe('a server that asks where nobody can be asked', () => {
  it('is told so at once', async () => {
    bench = await createBench([call('ask'), { text: 'Done without.' }], { settings: SETTINGS });
    const { code, stdout } = await bench.run(['-p', 'do it']);
    expect(stdout).toContain('Done without.');
    expect(code).toBe(0);
  });
});
