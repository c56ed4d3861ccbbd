import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEvent } from '@tenon/core';
import { startScriptedModel, type RecordedRequest, type ScriptedTurn } from '@tenon/core/testing';
import { MAIN, watch } from '../cli-process.js';
import { startGardenSite } from './garden-site.js';
import type { Call, Example } from './page-examples.js';

const PROJECT = fileURLToPath(new URL('../../docs/tools/example-project/', import.meta.url));
const MODULES = path.dirname(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')));
/** A session of one prompt, in which the person's answers come over standard input. */
const SESSION = [
  '--prompt=Look after the garden.',
  '--approval-mode=yolo',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--approvals=stdin',
];
const WORDS_OF_SUBAGENT = 'SEED_PRICE stands in src/price.ts, line 3.';

/** What the examples of one page print, in their order. */
export async function runExamples(examples: readonly Example[]): Promise<readonly string[]> {
  const bench = await openBench();
  try {
    const printed: string[] = [];
    const calls = examples.flatMap((example) => (example.kind === 'call' ? [example.call] : []));
    let answers: readonly string[] | undefined;
    for (const example of examples) {
      if (example.kind === 'settings') await bench.useSettings(example.text);
      if (example.kind === 'command') printed.push(await bench.command(example.script));
      if (example.kind !== 'call') continue;
      answers ??= await bench.session(calls);
      printed.push(answers[examplesBefore(examples, example)] ?? 'no answer');
    }
    return printed;
  } finally {
    await bench.end();
  }
}

function examplesBefore(examples: readonly Example[], example: Example): number {
  return examples.slice(0, examples.indexOf(example)).filter(({ kind }) => kind === 'call').length;
}

/** A copy of the example project in somebody's home, the program on `PATH`, and a site on this machine. */
async function openBench() {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'tenon-pages-')));
  const home = path.join(base, 'you');
  const project = path.join(home, 'project');
  const bin = path.join(base, 'bin');
  await cp(PROJECT, project, { recursive: true });
  await setTimes(project);
  await linkLanguageServer(project);
  await mkdir(bin);
  await writeFile(path.join(bin, 'tenon'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, { mode: 0o755 });
  const site = await startGardenSite();
  const env = {
    PATH: [bin, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    SEARXNG_URL: site.origin,
  };
  const places: readonly (readonly [here: string, onPage: string])[] = [
    [home, '/home/you'],
    [site.host, 'localhost:8080'],
  ];
  const here = (text: string): string => places.reduce((all, [real, shown]) => all.replaceAll(shown, real), text);
  const shown = (text: string): string =>
    withoutChance(places.reduce((all, [real, onPage]) => all.replaceAll(real, onPage), text));

  return {
    useSettings: async (text: string) => {
      await mkdir(path.join(home, '.tenon'), { recursive: true });
      await writeFile(path.join(home, '.tenon', 'settings.json'), here(text));
    },
    command: async (script: string) => {
      const child = spawn('/bin/bash', ['-c', `exec 2>&1\n${here(script)}`], { cwd: project, env, stdio: 'pipe' });
      return shown((await watch(child, '').finished).stdout);
    },
    session: async (calls: readonly Call[]) => {
      const model = await startScriptedModel(turnsOf(calls, here));
      const access = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', OPENAI_MODEL: model.model };
      const child = spawn(process.execPath, [MAIN, ...SESSION], {
        cwd: project,
        env: { ...env, ...access },
        stdio: 'pipe',
      });
      await answerAsTold(child, calls);
      const said = answersIn(model.requests);
      await model.close();
      return calls.map((_, index) => shown(said.get(`call_${index + 1}`) ?? 'no answer'));
    },
    end: async () => {
      await site.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Gives the answers that stand beside the calls, until the prompt is over. */
async function answerAsTold(child: ChildProcessWithoutNullStreams, calls: readonly Call[]): Promise<void> {
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as AgentEvent;
      if (event.type === 'prompt-end') child.stdin.end();
      if (event.type !== 'approval-request') continue;
      const answer = calls[Number(event.callId.replace('call_', '')) - 1]?.answer ?? { outcome: 'cancel' };
      child.stdin.write(`${JSON.stringify({ type: 'approval', callId: event.callId, ...answer })}\n`);
    }
  });
  await watch(child, undefined).finished;
}

/** The later a path comes in the alphabet, the newer is its file. */
async function setTimes(project: string): Promise<void> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  for (const [index, file] of files.toSorted().entries()) await utimes(file, 1_750_000_000, 1_750_000_000 + 60 * index);
}

/** As a project has them that installed them. */
async function linkLanguageServer(project: string): Promise<void> {
  const modules = path.join(project, 'node_modules');
  await mkdir(path.join(modules, '.bin'), { recursive: true });
  await symlink(path.join(MODULES, 'typescript'), path.join(modules, 'typescript'));
  const server = path.join(MODULES, 'typescript-language-server', 'lib', 'cli.mjs');
  await symlink(server, path.join(modules, '.bin', 'typescript-language-server'));
}

/** A model that makes the calls one after the other; as a subagent, it only says something. */
function turnsOf(calls: readonly Call[], here: (text: string) => string) {
  const turn = ({ body }: RecordedRequest): ScriptedTurn => {
    if (JSON.stringify(body.messages[0]?.content ?? '').includes('You are the subagent'))
      return { text: WORDS_OF_SUBAGENT };
    const made = body.messages.filter(({ role }) => role === 'assistant').length;
    const call = calls[made];
    if (call === undefined) return { text: 'Done.' };
    return { toolCalls: [{ id: `call_${made + 1}`, name: call.tool, arguments: here(JSON.stringify(call.args)) }] };
  };
  return Array.from({ length: 3 * calls.length + 3 }, () => turn);
}

/** What the model read in answer to its calls, by their ids. */
function answersIn(requests: readonly RecordedRequest[]): ReadonlyMap<string, string> {
  const messages = requests.flatMap(({ body }) => body.messages);
  return new Map(
    messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id = '', content }) => [
        id,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
  );
}

/** What differs from run to run stands as it would in a first one. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/(projects\/project-|\/agent-)[0-9a-f]{12}/g, '$1ID')
    .replaceAll(/^( {2})[0-9a-f]{8}( {2})/gm, '$1ID$2')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, (time) =>
      Number.parseInt(time, 10) >= 30 && !time.endsWith('ms') ? time : '1 s',
    )
    .replaceAll(/[ \t]+$/gm, '')
    .trimEnd();
}
