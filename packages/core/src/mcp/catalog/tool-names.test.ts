import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mcpServerPart, mcpToolName } from './tool-names.js';

const anyText = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', '_', '-', '.', 'é', 'A') }),
  fc.string({ minLength: 20, maxLength: 90, unit: fc.constantFrom('a', '_', '0') }),
  fc.constantFrom('mcp', '__', 'get_0123456789ab', 'a__b', '_', 'a_'),
);

it('prefixes what a server calls its tool with the server’s alias (S134)', () => {
  expect(mcpToolName('github', 'create_issue')).toBe('github__create_issue');
  expect(mcpToolName('my-files', '_private')).toBe('my-files___private');
});

it('keeps what is readable of names that no model may have, and marks them', () => {
  expect(mcpToolName('files', 'lire/le fichier.été')).toMatch(/^files__lire_le_fichier_ete_[0-9a-f]{12}$/);
  expect(mcpToolName('日本', '読む')).toMatch(/^x_[0-9a-f]{12}__x_[0-9a-f]{12}$/);
  expect(mcpServerPart('mcp')).toMatch(/^mcp_[0-9a-f]{12}$/);
  expect(mcpServerPart('a__b')).toMatch(/^a_b_[0-9a-f]{12}$/);
  expect(mcpToolName('a', 'x'.repeat(200))).toHaveLength(64);
});

it('gives every pair a name that fits, of which the server can be told', () => {
  fc.assert(
    fc.property(anyText, anyText, (alias, tool) => {
      const name = mcpToolName(alias, tool);
      const server = mcpServerPart(alias);
      expect(name).toMatch(/^[A-Za-z0-9_-]{4,64}$/);
      expect(name.slice(0, name.indexOf('__'))).toBe(server);
      expect(server).not.toBe('mcp');
      expect(server.endsWith('_')).toBe(false);
      expect(mcpToolName(alias, tool)).toBe(name);
    }),
    { numRuns: 2000 },
  );
});

it('gives no name that is the name of something else already', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const part = mcpServerPart(text);
      const name = mcpToolName('a', text);
      if (part !== text) expect(mcpServerPart(part)).not.toBe(part);
      if (name !== `a__${text}`) expect(mcpToolName('a', name.slice('a__'.length))).not.toBe(name);
    }),
  );
});

it('never gives two pairs one name', () => {
  fc.assert(
    fc.property(fc.tuple(anyText, anyText), fc.tuple(anyText, anyText), (one, other) => {
      const isSame = one[0] === other[0] && one[1] === other[1];
      expect(mcpToolName(...one) === mcpToolName(...other)).toBe(isSame);
    }),
    { numRuns: 5000 },
  );
});
