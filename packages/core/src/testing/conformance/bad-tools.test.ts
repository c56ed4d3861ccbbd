import { execFile } from 'node:child_process';
import { Console } from 'node:console';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../tools/defined/define-tool.js';
import type { ToolDefinition } from '../../tools/defined/tool-definition.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../../tools/tools.js';
import { checkTool } from './conformance-cases.js';
import { type ConformanceOptions, type ToolSubject } from './conformance-types.js';

interface Params {
  file_path: string;
}

const PARAMETERS = {
  type: 'object',
  properties: { file_path: { type: 'string', minLength: 1, maxLength: 200, description: 'The file' } },
  required: ['file_path'],
  additionalProperties: false,
};

const { additionalProperties: isClosed, ...OPEN } = PARAMETERS;

const good: ToolDefinition<Params> = defineTool<Params>({
  name: 'count_characters',
  description: 'Counts the characters of a file.',
  kind: Kind.Read,
  parameters: PARAMETERS,
  examples: [{ file_path: 'a.txt' }, { file_path: 'sub/b.txt' }],
  effects: ({ file_path }) => [{ kind: 'read', path: file_path }],
  describe: ({ file_path }) => file_path,
  execute: async ({ file_path }, { readText }) => String((await readText(file_path)).length),
});
const options: ConformanceOptions = { entries: { 'a.txt': 'abc', 'sub/b.txt': 'abcdef' } };

/** The good one, with something bad about it. */
const bad = (more: Partial<ToolDefinition<Params>>): ToolSubject => ({ ...good, ...more });
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Mutating extends BaseDeclarativeTool<Params, ToolResult> {
  constructor() {
    super('mutating', 'Mutating', 'Changes what it is given.', Kind.Other, PARAMETERS);
  }

  protected createInvocation(params: Params): ToolInvocation<Params, ToolResult> {
    return new MutatingInvocation(params);
  }
}

class MutatingInvocation extends BaseToolInvocation<Params, ToolResult> {
  getDescription(): string {
    return 'x';
  }

  async execute(): Promise<ToolResult> {
    this.params.file_path = 'other';
    return { llmContent: 'done' };
  }
}

class Throwing extends Mutating {
  override validateToolParams(params: Params): string | null {
    return params.file_path.length > 0 ? super.validateToolParams(params) : 'empty';
  }

  protected override createInvocation(params: Params): ToolInvocation<Params, ToolResult> {
    return { params, getDescription: () => 'x', execute: async () => ({ llmContent: 'done' }) };
  }
}

class ThrowingLater extends Throwing {
  override validateToolParams(params: Params): string | null {
    return BaseDeclarativeTool.prototype.validateToolParams.call(this, params);
  }

  protected override createInvocation(params: Params): ToolInvocation<Params, ToolResult> {
    return {
      params,
      getDescription: () => 'x',
      execute: () => {
        throw new Error('out of it');
      },
    };
  }
}

let shared = '';

const BAD: readonly (readonly [
  what: string,
  subject: ToolSubject,
  caughtBy: string,
  words: RegExp,
  more?: ConformanceOptions,
])[] = [
  [
    'a schema that is open',
    bad({ parameters: OPEN }),
    'the parameters are a sound, closed schema with descriptions',
    /are open/,
  ],
  [
    'a parameter without a description',
    bad({ parameters: { ...PARAMETERS, properties: { file_path: { type: 'string', minLength: 1, maxLength: 200 } } } }),
    'the parameters are a sound, closed schema with descriptions',
    /`\/properties\/file_path` has no description/,
  ],
  [
    'an example that is refused',
    bad({ examples: [{ file_path: 'a.txt' }, { file_path: '' }] }),
    'every example is valid',
    /^Example 2: it is refused/,
  ],
  [
    'a check that throws',
    Throwing,
    'wrong parameters are refused, never thrown',
    /^Checking .* throws/m,
    { examples: [{ file_path: 'a' }] },
  ],
  [
    'a title of several lines',
    bad({ describe: () => 'one\ntwo' }),
    'a call is described in one line',
    /more than one line/,
  ],
  [
    'a title that throws',
    bad({
      describe: () => {
        throw new Error('no title');
      },
    }),
    'a call is described in one line',
    /no title/,
  ],
  [
    'work while it is described',
    bad({
      describe: () => {
        writeFileSync('/tmp/tenon-described.txt', '');
        return 'x';
      },
    }),
    'building, describing and stating effects does nothing',
    /before the call runs, it writes \/tmp\/tenon-described\.txt/,
  ],
  [
    'work while it states effects',
    bad({
      effects: ({ file_path }, { root }) => {
        mkdirSync(join(root, 'made'), { recursive: true });
        return [
          { kind: 'read', path: file_path },
          { kind: 'write', path: 'made' },
        ];
      },
    }),
    'building, describing and stating effects does nothing',
    /it writes .*\/made/,
  ],
  [
    'a failure that is thrown',
    ThrowingLater,
    'every valid call ends with a sound result, and never throws',
    /execute\(\) throws.*out of it/,
    { examples: [{ file_path: 'a' }] },
  ],
  [
    'a result that is none',
    bad({ execute: () => ({ llmContent: { x: 1 } }) as never }),
    'every valid call ends with a sound result, and never throws',
    /no `llmContent`/,
  ],
  [
    'an error without a type',
    bad({ execute: () => ({ llmContent: 'x', error: { message: 'x' } }) as never }),
    'every valid call ends with a sound result, and never throws',
    /`error` of the result/,
  ],
  [
    'an example that cannot succeed',
    bad({
      execute: () => {
        throw new Error('never works');
      },
    }),
    'every valid call ends with a sound result, and never throws',
    /No example succeeds.*never works/,
  ],
  [
    'no ear for cancelling',
    bad({
      execute: async () => {
        await wait(1_600);
        return 'late';
      },
      examples: [{ file_path: 'a.txt' }],
    }),
    'a cancelled call ends within a second',
    /has not ended after a second/,
  ],
  [
    'work although it is cancelled',
    bad({
      effects: () => [{ kind: 'write', path: 'out.txt' }],
      execute: async (_, { root }) => {
        await writeFile(join(root, 'out.txt'), '');
        return 'x';
      },
    }),
    'a cancelled call ends within a second',
    /does its work all the same/,
  ],
  [
    'a file that it reads without a word',
    bad({
      execute: async (_, { root }) => readFile(join(root, 'sub/b.txt'), 'utf8'),
      examples: [{ file_path: 'a.txt' }],
    }),
    'what it does is what its effects say',
    /^Example 1: it reads .*\/sub\/b\.txt, which its effects do not say\.$/,
  ],
  [
    'a file elsewhere that it reads through a link',
    bad({
      execute: async (_, { root, signal }) => {
        signal.throwIfAborted();
        await rm(join(root, 'a.txt'));
        await symlink('/etc/hostname', join(root, 'a.txt'));
        return readFile(join(root, 'a.txt'), 'utf8').catch(() => 'x');
      },
      effects: () => [
        { kind: 'write', path: 'a.txt' },
        { kind: 'delete', path: 'a.txt' },
      ],
      examples: [{ file_path: 'a.txt' }],
    }),
    'what it does is what its effects say',
    /^Example 1: it reads \/etc\/hostname, which/m,
  ],
  [
    'a file that it writes without a word',
    bad({
      execute: async (_, { root, signal }) => {
        signal.throwIfAborted();
        await mkdir(join(root, 'new'), { recursive: true });
        await writeFile(join(root, 'new/x.txt'), 'x');
        return 'x';
      },
      examples: [{ file_path: 'a.txt' }],
    }),
    'what it does is what its effects say',
    /it writes .*\/new\/x\.txt/,
  ],
  [
    'a file that it deletes under the name of writing',
    bad({
      execute: async (_, { root, signal }) => {
        signal.throwIfAborted();
        await rm(join(root, 'a.txt'), { force: true });
        return 'x';
      },
      effects: () => [{ kind: 'write', path: 'sub' }],
      examples: [{ file_path: 'a.txt' }],
    }),
    'what it does is what its effects say',
    /it deletes .*\/a\.txt/,
  ],
  [
    'a program that it starts without a word',
    bad({
      execute: async (_, { signal }) => {
        signal.throwIfAborted();
        await promisify(execFile)('true', ['--quietly']);
        return 'x';
      },
    }),
    'what it does is what its effects say',
    /it starts true --quietly/,
  ],
  [
    'a host that it reaches without a word',
    bad({
      execute: async (_, { signal }) => {
        signal.throwIfAborted();
        await fetch('http://127.0.0.1:9/').catch(() => undefined);
        return 'x';
      },
      effects: () => [],
    }),
    'what it does is what its effects say',
    /it reaches 127\.0\.0\.1/,
  ],
  [
    'another host than it says',
    bad({
      execute: async (_, { signal }) => {
        signal.throwIfAborted();
        await new Promise((resolve) => connect({ host: 'nowhere.invalid', port: 9 }).on('error', resolve));
        return 'x';
      },
      effects: () => [{ kind: 'fetch', url: 'https://example.com/' }],
    }),
    'what it does is what its effects say',
    /it reaches nowhere\.invalid/,
  ],
  [
    'parameters that it changes',
    Mutating,
    'parameters are left as they are',
    /"other"/,
    { examples: [{ file_path: 'a' }] },
  ],
  [
    'calls that share what they know',
    bad({
      execute: async ({ file_path }) => {
        shared = file_path;
        await wait(20);
        return shared;
      },
    }),
    'calls side by side do not disturb each other',
    /beside other calls it gives/,
  ],
  [
    'a result of many megabytes',
    bad({ execute: () => 'x'.repeat(20 * 1024 * 1024) }),
    'results are of a size that can be handled',
    /20 MiB/,
  ],
  [
    'words on the console',
    bad({
      execute: async () => {
        await wait(1);
        new Console(process.stdout).log('debug');
        return 'x';
      },
    }),
    'nothing is written to the console',
    /debug/,
  ],
  [
    'reports after its end',
    bad({
      execute: (_, { update }) => {
        setTimeout(() => update('still here'), 30);
        return 'x';
      },
    }),
    'nothing is reported after the end',
    /reports once after its end/,
  ],
];

describe('the conformance kit', () => {
  it('lets a good tool through', async () => {
    const results = await checkTool(good, options);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
    expect(results.length).toBe(13);
  });

  it.each(BAD.map(([what, ...rest]) => ({ what, rest })))('catches $what by that case alone', async ({ rest }) => {
    const [subject, caughtBy, words, more = {}] = rest;
    const results = await checkTool(subject, { ...options, ...more });
    const failed = results.filter(({ problems }) => problems.length > 0);
    expect(
      failed.map(({ name }) => name),
      JSON.stringify(failed),
    ).toEqual([caughtBy]);
    expect(failed[0]?.problems.join('\n')).toMatch(words);
  });

  it('takes a tool without effects for one that may do anything, and says when there is nothing to try it with', async () => {
    const silent: ToolDefinition<Params> = { ...good };
    Reflect.deleteProperty(silent, 'effects');
    const results = await checkTool(
      { ...silent, examples: [] },
      {
        examples: [],
      },
    );
    expect(results.flatMap(({ problems }) => problems)).toEqual([
      'There is no example: give `examples`, so that the tool can be tried.',
    ]);
  });

  it('puts everything back: what runs beside and after it is neither seen nor changed', async () => {
    expect(isClosed).toBe(false);
    const now = (): unknown[] => [readFile, Reflect.get(process.stdout, 'write'), globalThis.fetch];
    const before = now();
    const running = checkTool(good, options);
    await writeFile('/tmp/tenon-beside.txt', 'beside');
    const results = await running;
    await rm('/tmp/tenon-beside.txt');
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
    expect(now()).toEqual(before);
  });
});
