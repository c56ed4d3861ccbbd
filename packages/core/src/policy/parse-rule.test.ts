import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.js';
import { namesTool, subjectOf, suggestToolName } from './tool-aliases.js';

describe('parseRule', () => {
  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['Bash(', 'never closed'],
    ['Bash(npm test', 'never closed'],
    ['Bash(npm test) x', 'never closed'],
    ['Bash)', 'no "("'],
    ['(npm test)', 'names no tool'],
    ['Bash()', 'parentheses are empty'],
    ['Bash( )', 'parentheses are empty'],
    ['two words', 'not a tool name'],
    ['a*b', 'not a tool name'],
    ['Bash(npm\0test)', 'control or invisible'],
    ['Bash(echo a\nb)', 'control or invisible'],
    ['Bash(rm\u200b x)', 'control or invisible'],
    ['Bash(a && b)', 'one simple command'],
    ['Bash(a; b)', 'one simple command'],
    ['Bash(a | sh)', 'one simple command'],
    ['Bash(a > b)', 'one simple command'],
    ['Bash(echo $(id))', 'one simple command'],
    ["Bash(echo it's)", 'never closed'],
    ['Read(!a)', 'starts with "!"'],
    ['Read(../a)', '".."'],
    ['WebFetch(example.com)', 'domain:example.com'],
    ['WebFetch(domain:a b)', 'not a host name'],
    ['WebFetch(domain:)', 'not a host name'],
    [`Bash(${'x'.repeat(5000)})`, 'longer than'],
  ])('refuses %j and says why', (text, problem) => {
    const parsed = parseRule(text);
    expect('problem' in parsed ? parsed.problem : 'accepted').toContain(problem);
  });

  it('reads quotes and parentheses inside a specifier', () => {
    for (const text of ['Bash(git commit -m "a; b (c)")', 'Edit(app/(group)/[id]/**)', "Bash(echo 'it is')"]) {
      expect(parseRule(text)).not.toHaveProperty('problem');
    }
  });

  it('takes a star alone for the bare name', () => {
    expect(parseRule('Bash(*)')).toEqual({ ...parseRule('Bash'), name: 'Bash' });
    expect(parseRule('WebFetch(domain:*)')).toEqual(parseRule('WebFetch'));
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), fc.string(), (name, specifier) => {
        expect(parseRule(`${name}(${specifier})`)).toBeTypeOf('object');
        expect(parseRule(name)).toBeTypeOf('object');
      }),
    );
  });
});

describe('tool names', () => {
  it.each([
    ['read_file', 'read_file', true],
    ['Grep', 'grep_search', true],
    ['LS', 'list_directory', true],
    ['ReadFile', 'read_file', true],
    ['edit', 'edit', true],
    ['edit', 'write_file', false],
    ['edit', 'apply_patch', false],
    ['ApplyPatch', 'apply_patch', true],
    ['apply_patch', 'apply_patch', true],
    ['github__create', 'github__create', true],
    ['mcp__github__create', 'github__create', true],
    ['github__create', 'mcp__github__create', true],
    ['github__*', 'github__create', true],
    ['mcp__github', 'github__create', true],
    ['mcp__github', 'githubx__create', false],
    ['toString', 'toString', true],
    ['toString', 'read_file', false],
    ['__proto__', '__proto__', true],
    ['constructor', 'hasOwnProperty', false],
  ])('%s names %s: %s', (rule, tool, expected) => {
    expect(namesTool(subjectOf(rule), tool)).toBe(expected);
  });

  it('takes peers’ names for effects in any case', () => {
    expect(subjectOf('bash')).toEqual({ by: 'effect', effect: 'run' });
    expect(subjectOf('WRITE')).toEqual({ by: 'effect', effect: 'change' });
  });

  it('offers the nearest name only for an unknown one', () => {
    const known = ['read_file', 'grep_search', 'my_tool'];
    expect(suggestToolName('raed_file', known)).toBe('read_file');
    expect(suggestToolName('Bsh', known)).toBe('Bash');
    expect(suggestToolName('my_tool', known)).toBeUndefined();
    expect(suggestToolName('Edit', known)).toBeUndefined();
    expect(suggestToolName('something_else_entirely', known)).toBeUndefined();
  });
});
