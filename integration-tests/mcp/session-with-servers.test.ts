import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '@tenon/core/testing';
import { createBench, type Bench } from '../cli-process.js';
import { hasScript, openScript, type ScriptTerminal } from '../script-terminal.js';

const SCRIPTED = fileURLToPath(new URL('scripted-server.mjs', import.meta.url));
const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const DONE: ScriptedTurn = { text: 'Done.' };

let end: (() => Promise<void>) | undefined;

afterEach(async () => {
  await end?.();
  end = undefined;
});

async function benchWith(turns: readonly ScriptedTurn[], mcpServers: object): Promise<Bench> {
  const bench = await createBench(turns, { settings: JSON.stringify({ mcpServers }) });
  end = bench.end;
  return bench;
}

function open(bench: Bench): ScriptTerminal {
  const session = openScript(bench, ['--plain']);
  end = async () => {
    // What hangs goes with its terminal; a session that ended is not there any more.
    session.kill('SIGHUP');
    await session.finished;
    await bench.end();
  };
  return session;
}

describe.runIf(hasScript)('a session with servers', () => {
  it('lists them, connects one anew, and takes their prompts, with the arguments they need', async () => {
    const bench = await benchWith([DONE, DONE], { every: { command: process.execPath, args: [EVERYTHING] } });
    const { sees, types, code } = open(bench);
    await sees('/help shows');
    types('/mcp reconnect every\r');
    await sees('The server "every" is connected again.');
    types('/mcp\r');
    await sees('every: ready, ');
    await sees('/every:args-prompt city=… [state=…]');
    types('/every:args-prompt\r');
    await sees('It needs city');
    types('/every:args-prompt city="New York"\r');
    await sees('Done.');
    const sent = bench.model.requests[0]?.bodyText ?? '';
    expect(sent).toContain('The user chose the prompt');
    expect(sent).toContain('New York');
    types('/exit\r');
    expect(await code).toBe(0);
  });

  it('shows what is different in a tool that changed, and offers it once the person agrees', async () => {
    const bench = await benchWith([DONE, DONE], { s: { command: process.execPath, args: ['server.mjs'] } });
    const server = (word: string): string =>
      `process.argv.push('many-tools=1'${word});\nawait import(${JSON.stringify(SCRIPTED)});\n`;
    await writeFile(path.join(bench.workspace, 'server.mjs'), server(''));
    await bench.run(['-p', 'x']);
    await writeFile(path.join(bench.workspace, 'server.mjs'), server(", 'changed-after=0'"));
    const { sees, types, code } = open(bench);
    await sees('/help shows');
    types('/mcp reconnect s\r');
    await sees('connected again');
    types('go on\r');
    await sees('Now with more power.');
    await sees('[y] once');
    types('y\r');
    await sees('[y] once');
    types('\r');
    for (let question = 0; question < 4; question++) {
      await sees('instead?');
      types('\r');
      if (question === 3) break;
      await sees('[y] once');
      types('\r');
    }
    await sees('Done.');
    const tools = (bench.model.requests[1]?.body.tools ?? []).map((tool) => tool.function.name);
    expect(tools).toContain('s__tool_0');
    expect(tools.filter((name) => name.startsWith('s__'))).toHaveLength(2);
    types('/exit\r');
    expect(await code).toBe(0);
  });
});
