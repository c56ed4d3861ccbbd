import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { contentHash } from '../files/write-handle.js';
import { createTempConfig } from '../testing/temp-config.js';
import { type ChangePlan, FileChangeInvocation } from './file-change-invocation.js';
import type { PathUse } from './judged-paths.js';
import type { ToolResult } from './tools.js';

const { config, workspace, reset, remove } = await createTempConfig();
afterEach(reset);
afterAll(remove);

/** Adds a line to a file that another process changes this many times meanwhile. */
class AddInvocation extends FileChangeInvocation<object, ChangePlan> {
  readonly #file = workspace.path('a.txt');
  readonly #others: number;
  planned = 0;

  constructor(others: number) {
    super(config, {}, 'Add');
    this.#others = others;
  }
  protected get uses(): readonly PathUse[] {
    return [{ kind: 'write', path: this.#file }];
  }
  getDescription(): string {
    return 'add';
  }
  protected async propose(): Promise<ChangePlan> {
    const original = await workspace.read('a.txt');
    const hash = contentHash(Buffer.from(original));
    this.planned += 1;
    if (this.planned <= this.#others) await workspace.write({ 'a.txt': `other ${this.planned}\n` });
    return { changes: [{ path: this.#file, original, proposed: `${original}added\n`, hash }] };
  }
  protected report(): ToolResult {
    return { llmContent: 'added' };
  }
}

describe('a change that nobody was asked about', () => {
  it.each([
    { others: 0, planned: 1, written: 'old\nadded\n' },
    { others: 1, planned: 2, written: 'other 1\nadded\n' },
    { others: 2, planned: 3, written: 'other 2\nadded\n' },
    { others: 3, planned: 3, written: 'other 3\n' },
  ])('is planned $planned times when others change the file $others times', async ({ others, planned, written }) => {
    await workspace.write({ 'a.txt': 'old\n' });
    const add = new AddInvocation(others);
    await add.effects();
    const { error } = await add.execute(new AbortController().signal);
    expect([add.planned, await workspace.read('a.txt')]).toEqual([planned, written]);
    expect(error?.type).toBe(others < 3 ? undefined : 'file_changed');
  });

  it('is not tried again once a person was shown what it does', async () => {
    await workspace.write({ 'a.txt': 'old\n' });
    const add = new AddInvocation(2);
    const { signal } = new AbortController();
    await add.confirmationDetails(signal);
    expect((await add.execute(signal)).error?.type).toBe('file_changed');
    expect([add.planned, await workspace.read('a.txt')]).toEqual([2, 'other 2\n']);
  });
});
