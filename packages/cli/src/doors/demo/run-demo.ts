import { cp, mkdir, mkdtemp, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApprovalMode, createModel, safeText, ToolNames, type AgentOptions } from '@tenon/core';
import { startScriptedModel, type ScriptedTurn } from '@tenon/core/testing';
import { localModelChoice } from '../../choose-model.js';
import { ExitCode } from '../../exit-codes.js';
import type { Surroundings } from '../../surroundings.js';
import { shellQuoted } from '../../ui/end-lines.js';
import { safeLine } from '../../ui/safe-lines.js';
import { runProjectTests } from './run-project-tests.js';

/** What `demo/recording.json` holds; `{{workspace}}` stands for the folder in every text. */
interface Recording {
  readonly prompt: string;
  readonly testCommand: string;
  readonly turns: readonly ScriptedTurn[];
}

/** Runs one prompt as any other is run; the demo has no door of its own for that. */
export type RunPrompt = (prompt: string, agent: AgentOptions) => Promise<ExitCode>;

/** Slow enough to be watched, and no slower than a fast model. */
const CHUNK_DELAY_MS = 15;

/**
 * The whole product on a small project with a real bug: the model's words are recorded and come from a real server
 * over HTTP; tools, policy, files and commands are real. Ends with 0 only when the project's tests pass afterwards.
 */
export async function runDemo(surroundings: Surroundings, runPrompt: RunPrompt): Promise<ExitCode> {
  const { err } = surroundings;
  const folder = await realpath(await mkdtemp(path.join(surroundings.tempFolder, 'tenon-demo-')));
  const workspace = path.join(folder, 'project');
  const tenonHome = path.join(folder, 'home');
  const assets = await demoFolder();
  await cp(path.join(assets, 'project'), workspace, { recursive: true });
  await mkdir(tenonHome, { mode: 0o700 });
  const recording = await readRecording(path.join(assets, 'recording.json'), workspace);

  await err.write(safeText`This is a demo. The words of the model are recorded; the tools, the rules, the files and the commands are real.
The project: ${safeLine(workspace)}
The prompt:  ${safeLine(recording.prompt)}

`);
  const server = await startScriptedModel(recording.turns, { model: 'recorded', delayMs: CHUNK_DELAY_MS });
  try {
    const model = await createModel(
      localModelChoice({ name: 'demo', baseUrl: server.baseUrl, models: [] }, server.model),
    );
    const agent: AgentOptions = {
      roots: [workspace],
      tenonHome,
      userHome: surroundings.userHome,
      approvalMode: ApprovalMode.AUTO_EDIT,
      // Nobody is asked: edits go through by the mode, and this one command by a rule.
      rules: [{ list: 'allow', text: `${ToolNames.SHELL}(${recording.testCommand})`, origin: 'the demo' }],
      environment: surroundings.env,
      model,
      version: surroundings.version,
    };
    const code = await runPrompt(recording.prompt, agent);
    if (code !== ExitCode.OK) return code;
  } finally {
    await server.close();
  }
  // The recorded words say that the tests pass; this finds out.
  const passed = await runProjectTests(surroundings.nodePath, workspace, surroundings.env);
  const verdict = passed ? 'Checked once more: the tests of the project pass.' : 'The tests of the project still fail.';
  const undo = `TENON_HOME=${shellQuoted(tenonHome)} tenon undo --cwd ${shellQuoted(workspace)}`;
  await err.write(safeText`
${safeLine(verdict)}
The folder stays for you to look at: ${safeLine(workspace)}
To take the change back: ${safeLine(undo)}
`);
  return passed ? ExitCode.OK : ExitCode.UNEXPECTED;
}

/** `demo/` stands beside `dist/` in the package; the bundle lies in `dist/` or in a folder of it. */
async function demoFolder(): Promise<string> {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = path.join(folder, 'demo', 'recording.json');
    const found = await readFile(candidate).then(
      () => true,
      () => false,
    );
    if (found) return path.dirname(candidate);
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error('The files of the demo are missing from this installation. Install it again.');
    folder = parent;
  }
}

async function readRecording(file: string, workspace: string): Promise<Recording> {
  const text = await readFile(file, 'utf8');
  // Inside JSON text the folder must be written as JSON would: Windows paths and quotes survive.
  const inJson = JSON.stringify(workspace).slice(1, -1);
  return JSON.parse(text.replaceAll('{{workspace}}', () => inJson)) as Recording;
}
