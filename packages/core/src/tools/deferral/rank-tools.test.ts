import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FunctionDeclaration } from '../tool-registry.js';
import { indexTools, rankTools } from './rank-tools.js';
import { WordText, wordsOf } from './words.js';

const tool = (name: string, description = '', properties: object = {}): FunctionDeclaration => ({
  name,
  description,
  parameters: { type: 'object', properties },
});

const TOOLS = [
  tool('github__create_issue', 'Create a new issue in a repository', { title: { description: 'Title' }, repo: {} }),
  tool('github__list_issues', 'List issues of a repository', { state: { enum: ['open', 'closed'] } }),
  tool('github__mergePullRequest', 'Merges a pull request', { pullNumber: {} }),
  tool('db__query', 'Runs SQL', { statement: { description: 'One SELECT statement' }, timeoutMs: {} }),
  tool('wiki__search', '在维基百科中搜索文章', {}),
  tool('files__HTTPServer2Start', 'Serves a folder', { options: { properties: { port: { description: 'TCP' } } } }),
];
const search = (query: string): readonly string[] => rankTools(indexTools(TOOLS), query, 5);

describe('rankTools', () => {
  it.each([
    ['create an issue on github', 'github__create_issue'],
    ['list open issues', 'github__list_issues'],
    ['merge pull', 'github__mergePullRequest'],
    ['pull_number', 'github__mergePullRequest'],
    ['select statement', 'db__query'],
    ['timeout', 'db__query'],
    ['搜索', 'wiki__search'],
    ['http server', 'files__HTTPServer2Start'],
    ['port', 'files__HTTPServer2Start'],
    ['repos', 'github__create_issue'],
  ])('finds for %j first %s', (query, name) => {
    expect(search(query)[0]).toBe(name);
  });

  it('puts the tool first that is called so, by its full name, its other spelling or its own name', () => {
    for (const name of ['db__query', 'mcp__db__query', ' DB__Query ', 'query'])
      expect(search(name)[0]).toBe('db__query');
  });

  it('finds nothing where no word fits', () => {
    expect(['', '  ', '!!', 'zzzz', 'ti'].map(search)).toEqual([[], [], [], [], []]);
  });

  it('reads names in every spelling', () => {
    expect(wordsOf('getUserByID2 get_user-by.id')).toEqual(['get', 'user', 'by', 'id', '2', 'get', 'user', 'by', 'id']);
    expect(wordsOf('HTTPServer')).toEqual(['http', 'server']);
    expect(wordsOf('getURLs3D')).toEqual(['get', 'ur', 'ls', '3', 'd']);
  });

  it('writes plain text quickly and just so (law)', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '1', '2', '_', ' ', '-') }),
      fc.string(),
    );
    const words = new WordText();
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (fields) => {
        const { text: written, starts } = words.of(fields);
        const parts = fields.map((_, at) => written.slice(at === 0 ? 0 : starts[at - 1], starts[at]));
        expect(parts.map((part) => part.split(' ').filter((word) => word !== ''))).toEqual(fields.map(wordsOf));
        for (const part of parts) expect(part).toMatch(/^ (?:\S+ )*$/);
      }),
    );
  });

  const word = fc.constantFrom('get', 'list', 'issue', 'user', 'file', 'repo', 'open', 'close', 'x');
  const name = fc.tuple(fc.constantFrom('a', 'b'), word, word).map(([server, one, two]) => `${server}__${one}_${two}`);
  const declared = fc
    .tuple(name, fc.array(word, { maxLength: 6 }), fc.dictionary(word, fc.constant({}), { maxKeys: 3 }))
    .map(([own, words, properties]) => tool(own, words.join(' '), properties));
  const tools = fc.uniqueArray(declared, { selector: (each) => each.name, maxLength: 12 });

  it('is the same each time, knows no tool twice, keeps to the limit, and begins as a longer list does (law)', () => {
    fc.assert(
      fc.property(tools, fc.array(word, { maxLength: 4 }), fc.integer({ min: 0, max: 12 }), (all, words, most) => {
        const query = words.join(' ');
        const found = rankTools(indexTools(all), query, most);
        expect(found).toEqual(rankTools(indexTools(all), query, most));
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(most);
        expect(rankTools(indexTools(all), query, all.length).slice(0, most)).toEqual(found);
        expect(all.map((each) => each.name)).toEqual(expect.arrayContaining([...found]));
      }),
    );
  });

  it('puts an exact name first among any tools (law)', () => {
    fc.assert(
      fc.property(tools, fc.nat(), (all, pick) => {
        fc.pre(all.length > 0);
        const wanted = all[pick % all.length]?.name ?? '';
        expect(rankTools(indexTools(all), wanted, 3)[0]).toBe(wanted);
      }),
    );
  });

  it('finds each tool that has the word in its name (law)', () => {
    fc.assert(
      fc.property(tools, word, (all, wanted) => {
        const having = all.filter((each) => wordsOf(each.name).includes(wanted)).map((each) => each.name);
        expect(rankTools(indexTools(all), wanted, all.length)).toEqual(expect.arrayContaining(having));
      }),
    );
  });
});
