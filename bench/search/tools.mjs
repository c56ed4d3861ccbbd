// The search tools as a program that embeds them calls them: through the whole life of a call.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `core` is the built `index.js` of the library. Nothing is stored of any project yet, as every system has a home of its own in `home`;
 * with `keepsHome` it uses `home` itself, with what others have stored there.
 */
export async function openSystem({ core, root, home: homes, keepsHome = false }) {
  mkdirSync(homes, { recursive: true });
  const home = keepsHome ? homes : mkdtempSync(join(homes, 'home-'));
  const { ApprovalMode, createToolSystem } = await import(pathToFileURL(core).href);
  return createToolSystem({
    roots: [root],
    tenonHome: join(home, 'tenon'),
    userHome: home,
    approvalMode: ApprovalMode.DEFAULT,
    rules: [],
    environment: { PATH: process.env.PATH },
  });
}

/** @returns the time of the whole call and of its first live result (undefined without one) in ms, and its last event */
export async function call(system, toolName, args) {
  const startedAt = performance.now();
  const request = { callId: '1', toolName, argumentsText: JSON.stringify(args) };
  let firstUpdate;
  let last;
  for await (const event of system.runCalls([request], new AbortController().signal)) {
    if (event.type === 'tool-call-update') firstUpdate ??= performance.now() - startedAt;
    last = event;
  }
  if (last.error) throw new Error(`${toolName}: ${last.error.message}`);
  return { ms: performance.now() - startedAt, firstUpdate, data: last.data, display: last.display };
}

/** `grep_search` with the JavaScript engine, which nothing but the absence of ripgrep chooses in a real call. */
export async function javascriptGrep({ core, system }) {
  const { GrepTool } = await import(new URL('tools/grep.js', pathToFileURL(core)).href);
  const tool = new GrepTool(system.config, { engine: 'javascript', timeLimitMs: 120_000 });
  return async (args) => {
    const startedAt = performance.now();
    const result = await tool.execute(args, new AbortController().signal);
    if (result.error) throw new Error(result.error.message);
    return { ms: performance.now() - startedAt, data: result.data };
  };
}

/** From now on searches learn nothing of the contents of files: what every search costs before that pays. */
export async function learnNothing(system) {
  const index = await system.config.getSearchIndex?.();
  if (index !== undefined) index.content.learnLater = () => undefined;
}

/** Waits until everything is learned that earlier searches have taught. */
export async function settle(system) {
  await (await system.config.getSearchIndex?.())?.content.settled();
}

/** Whether a tool takes that parameter: the bench also runs older builds. */
export function takes(system, toolName, parameter) {
  const { schema } = system.config.getToolRegistry().getTool(toolName);
  return JSON.stringify(schema).includes(`"${parameter}"`);
}
