import { describe, expect, it } from 'vitest';
import { KNOWN_SERVERS } from './known-servers.js';
import { readServerSpecs } from './server-spec.js';

describe('readServerSpecs', () => {
  it('reads what other agents write in .lsp.json', () => {
    const { specs, disabled } = readServerSpecs({
      zls: {
        command: 'zls',
        args: ['--x'],
        extensionToLanguage: { '.ZIG': 'zig' },
        settings: { zls: { a: 1 } },
        startupTimeout: 5,
      },
      pyright: { disabled: true },
    });
    expect(disabled).toEqual(['pyright']);
    expect(specs).toEqual([
      {
        name: 'zls',
        language: 'zig',
        files: { '.zig': 'zig' },
        command: 'zls',
        args: ['--x'],
        settings: { zls: { a: 1 } },
        startupTimeout: 5,
      },
    ]);
  });

  it.each([
    [[], 'lsp.servers must be an object'],
    [{ x: 1 }, 'lsp.servers.x must be an object'],
    [{ x: {} }, 'lsp.servers.x.command must be'],
    [{ x: { command: 'x' } }, 'lsp.servers.x.extensionToLanguage must be'],
    [{ x: { command: 'x', extensionToLanguage: { '.x': 1 } } }, 'lsp.servers.x.extensionToLanguage..x must be text'],
    [{ x: { command: 'x', extensionToLanguage: { '.x': 'x' }, args: 'a' } }, 'lsp.servers.x.args must be'],
    [
      { x: { command: 'x', extensionToLanguage: { '.x': 'x' }, startupTimeout: -1 } },
      'lsp.servers.x.startupTimeout must be',
    ],
    [{ x: { command: 'x', cmd: 1 } }, 'lsp.servers.x.cmd must be one of the known keys'],
    [{ 'a b': { command: 'x' } }, 'lsp.servers.a b must be a name'],
  ])('says what is wrong in %j', (raw, message) => {
    expect(() => readServerSpecs(raw)).toThrow(message);
  });
});

it('every known server has a name of its own, files, and a command that installs it', () => {
  expect(new Set(KNOWN_SERVERS.map(({ name }) => name)).size).toBe(KNOWN_SERVERS.length);
  for (const { files, install } of KNOWN_SERVERS) {
    expect(Object.keys(files).length).toBeGreaterThan(0);
    expect(install).toBeDefined();
  }
});
