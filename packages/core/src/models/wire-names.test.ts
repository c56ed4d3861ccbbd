import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelTool } from './model.js';
import { GEMINI_NAMES } from './gemini-request.js';
import { OPENAI_NAMES } from './openai-request.js';
import { createWireNames } from './wire-names.js';

const tool = (name: string): ModelTool => ({ name, description: '', parameters: {} });

describe('createWireNames', () => {
  it('gives every tool a name of its own that the provider takes, and finds the way back', () => {
    const character = fc.constantFrom('a', 'b', '_', '-', '.', ' ', 'é', '😀', '/', '1');
    const names = fc.uniqueArray(fc.string({ unit: character, minLength: 1, maxLength: 80 }), { minLength: 1 });
    fc.assert(
      fc.property(names, fc.constantFrom(OPENAI_NAMES, GEMINI_NAMES), (all, rule) => {
        const wire = createWireNames({ tools: all.map(tool), messages: [] }, rule);
        const sent = all.map((name) => wire.toWire(name));
        expect(new Set(sent).size).toBe(all.length);
        for (const name of sent) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/);
        if (rule === OPENAI_NAMES) for (const name of sent) expect(name).not.toContain('.');
        expect(sent.map((name) => wire.fromWire(name))).toEqual(all);
      }),
    );
  });

  it('never takes the name of a tool that needs no change', () => {
    const wire = createWireNames({ tools: [tool('a b'), tool('a_b')], messages: [] }, OPENAI_NAMES);
    expect([wire.toWire('a_b'), wire.toWire('a b')]).toEqual(['a_b', 'a_b_2']);
  });

  it('changes names in the history that no tool has', () => {
    const messages = [
      { role: 'assistant', content: [{ type: 'tool-call', id: '1', name: 'no such tool!', argumentsText: '{}' }] },
    ] as const;
    expect(createWireNames({ tools: [], messages }, OPENAI_NAMES).toWire('no such tool!')).toBe('no_such_tool_');
  });

  it.each([
    'functions.read_file',
    'functions.read_file:0',
    'default_api.read_file',
    'default_api:read_file',
    'tools/read_file',
    'Read_File',
    'ReadFile',
    ' read-file ',
    'read_file<|channel|>commentary',
  ])('finds the tool that is meant by %j', (name) => {
    const wire = createWireNames({ tools: [tool('read_file'), tool('read')], messages: [] }, OPENAI_NAMES);
    expect(wire.fromWire(name)).toBe('read_file');
  });

  it('leaves a name alone that could be two tools, or none', () => {
    const wire = createWireNames({ tools: [tool('read_file'), tool('readFile')], messages: [] }, OPENAI_NAMES);
    expect(['READ_FILE', 'functions.', '_', 'write'].map((name) => wire.fromWire(name))).toEqual([
      'READ_FILE',
      'functions.',
      '_',
      'write',
    ]);
    expect(wire.fromWire('functions.readFile')).toBe('readFile');
  });

  it('lets unknown names of the model through, __proto__ too', () => {
    const wire = createWireNames({ tools: [tool('read')], messages: [] }, OPENAI_NAMES);
    expect(wire.fromWire('__proto__')).toBe('__proto__');
    expect(wire.fromWire('toString')).toBe('toString');
  });
});
