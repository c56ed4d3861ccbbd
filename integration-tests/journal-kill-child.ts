import { writeSync } from 'node:fs';
import { IgnoreRules } from '../packages/core/src/files/ignore-rules.js';
import { QWEN_IGNORE } from '../packages/core/src/files/ignore-stack.js';
import { WorkspaceGate } from '../packages/core/src/files/workspace-gate.js';
import { FileJournal } from '../packages/core/src/journal/file-journal.js';
import { drawFrom, drawTransaction } from './journal-trees.js';

/** `work`: `commit` or `recover`. Ends itself by SIGKILL at the `killAt`th step, from 1; 0 is never. */
const [, , work, root = '', folder = '', temp = '', seed = '0', killAt = '0'] = process.argv;

let count = 0;
const onStep = (step: string): void => {
  count += 1;
  if (count !== Number(killAt)) return;
  writeSync(1, step);
  process.kill(process.pid, 'SIGKILL');
};
const gate = new WorkspaceGate({ roots: [root], tempDir: temp, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
const journal = new FileJournal({ gate, folder, onStep, adoptFromBytes: 10_000 });
if (work === 'recover') await journal.recover();
else await journal.commit(drawTransaction(root, drawFrom(Number(seed) + 7_000_000)));
