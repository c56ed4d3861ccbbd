import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { EngineChain } from './engine-chain.js';
import type { SearchEngine } from './engines/search-engine.js';

const FOLDER = { path: '/', workingDirectory: '/' };

function engine(name: SearchEngine['name'], closed: string[]): SearchEngine {
  return {
    name,
    countAnything: async () => undefined,
    lines: async () => undefined,
    checkPattern: async () => undefined,
    close: async () => void closed.push(name),
  };
}

const unavailable = new Failure('engine_unavailable', 'It did not start.');

describe('EngineChain', () => {
  it('does the same again with the next engine when one cannot be started, and closes both (S106)', async () => {
    const closed: string[] = [];
    const chain = new EngineChain([() => engine('ripgrep', closed), () => engine('javascript', closed)], FOLDER);
    const tried: string[] = [];
    await chain.run(async ({ name }) => {
      tried.push(name);
      if (name === 'ripgrep') throw unavailable;
    });
    expect(tried).toEqual(['ripgrep', 'javascript']);
    expect(chain.name).toBe('javascript');
    expect(closed).toEqual(['ripgrep']);
    await chain.close();
    expect(closed).toEqual(['ripgrep', 'javascript']);
  });

  it('gives way once when two things fail at the same time', async () => {
    const closed: string[] = [];
    const names = ['ripgrep', 'javascript'] as const;
    const chain = new EngineChain(
      names.map((name) => () => engine(name, closed)),
      FOLDER,
    );
    const fail = async ({ name }: SearchEngine): Promise<void> => {
      if (name === 'ripgrep') throw unavailable;
    };
    let again = 0;
    const run = async (): Promise<void> => chain.run(fail, () => void again++);
    await Promise.all([run(), run()]);
    expect([chain.name, again]).toEqual(['javascript', 2]);
  });

  it('passes every other failure on, and that of the last engine', async () => {
    const chain = new EngineChain([() => engine('ripgrep', []), () => engine('javascript', [])], FOLDER);
    const wrong = new Failure('invalid_pattern', 'It is wrong.');
    await expect(chain.run(async () => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(chain.hasWorked).toBe(false);
    await expect(chain.run(async () => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect(() => new EngineChain([], FOLDER)).toThrow('no engine');
  });

  it('tells the engine that is at work what is to be expected', async () => {
    const expected: number[] = [];
    const [first, second] = [engine('ripgrep', []), engine('javascript', [])];
    const chain = new EngineChain(
      [() => ({ ...first, expect: (files) => void expected.push(files) }), () => second],
      FOLDER,
    );
    chain.expect(7);
    await chain.run(async ({ name }) => (name === 'ripgrep' ? Promise.reject(unavailable) : undefined));
    chain.expect(8);
    expect(expected).toEqual([7]);
  });
});
