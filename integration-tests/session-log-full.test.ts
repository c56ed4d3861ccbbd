import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** A session in a process that may write files of 8 KB only: what a full disk does, in the middle of a line. */
const SCRIPT = `
  import { readFileSync } from 'node:fs';
  const [folder, base] = process.argv.slice(1);
  const { createAgent, createModel, loadSessionLog, ApprovalMode } = await import(folder + '/index.js');
  const { startScriptedModel } = await import(folder + '/testing/index.js');
  const server = await startScriptedModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const value = (value) => ({ value, origin: 'test' });
  const model = await createModel({ provider: value('openai'), baseUrl: value(server.baseUrl), model: value('scripted') });
  const agent = await createAgent({
    roots: [base], tenonHome: base + '/home', userHome: base, approvalMode: ApprovalMode.DEFAULT, rules: [],
    environment: {}, model, version: 'test',
  });
  const ends = [];
  const notices = [];
  for (const text of ['short', 'x'.repeat(20000), 'short again']) {
    for await (const event of agent.prompt(text)) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type === 'prompt-end') ends.push(event.stopReason + ' ' + event.text);
    }
  }
  await agent.close();
  await server.close();
  const { events, problems } = loadSessionLog(agent.sessionFile);
  const whole = readFileSync(agent.sessionFile, 'utf8').endsWith('\\n');
  console.log(JSON.stringify({ ends, notices: notices.length, problems, whole, sequence: events.map((line) => line.sequence) }));
`;

it('goes on when the log cannot be written, says so once, and leaves a log without a damaged line', () => {
  const base = mkdtempSync(join(tmpdir(), 'tenon-full-'));
  try {
    const core = join(import.meta.dirname, '..', 'packages', 'core', 'dist');
    const command = 'ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2" "$3"';
    const output = execFileSync('bash', ['-c', command, process.execPath, SCRIPT, core, base], { encoding: 'utf8' });
    const { sequence, ...rest } = JSON.parse(output) as { sequence: number[] };
    expect(rest).toEqual({
      ends: ['completed one', 'completed two', 'completed three'],
      notices: 1,
      problems: [],
      whole: true,
    });
    expect(sequence).toEqual(Array.from({ length: sequence.length }, (_, index) => index + 1));
    // What came after the line that was too long is there again.
    expect(sequence.length).toBeGreaterThan(12);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
