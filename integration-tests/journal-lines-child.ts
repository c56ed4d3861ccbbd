import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IgnoreRules } from '../packages/core/src/files/ignore-rules.js';
import { QWEN_IGNORE } from '../packages/core/src/files/ignore-stack.js';
import { WorkspaceGate } from '../packages/core/src/files/workspace-gate.js';
import { contentHash } from '../packages/core/src/files/write-handle.js';
import { FileJournal } from '../packages/core/src/journal/file-journal.js';
import { Failure } from '../packages/core/src/util/failure.js';

/** Adds `count` lines to `shared.txt`, each in a transaction of its own; or writes `count` new files in one. */
const [, , work, root = '', folder = '', temp = '', name = '', count = '0'] = process.argv;

const gate = new WorkspaceGate({ roots: [root], tempDir: temp, ignore: new IgnoreRules(QWEN_IGNORE, [root]) });
const journal = new FileJournal({ gate, folder });

async function addLine(line: string): Promise<number> {
  const path = join(root, 'shared.txt');
  for (let tries = 0; ; tries += 1) {
    const old = readFileSync(path);
    const content = Buffer.concat([old, Buffer.from(`${line}\n`)]);
    try {
      await journal.commit({ kind: 'change', changes: [{ path, expected: contentHash(old), content }] });
      return tries;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'file_changed') throw thrown;
    }
  }
}

if (work === 'lines') {
  let refused = 0;
  for (let line = 0; line < Number(count); line += 1) refused += await addLine(`${name} ${line}`);
  process.stdout.write(`${refused}\n`);
} else {
  const changes = Array.from({ length: Number(count) }, (_, index) => ({
    path: join(root, 'new', `${index}`),
    expected: 'missing',
    content: Buffer.from('x'),
  }));
  const outcome = await journal.commit({ kind: 'change', changes }).then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof Failure ? `${thrown.code}: ${thrown.message}` : String(thrown)),
  );
  process.stdout.write(`${outcome}\n`);
}
