import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'find-program-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A program at `folder/<path>`. */
function program(path: string, mode = 0o755): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

function pathOf(...names: string[]): string {
  return names.map((name) => join(folder, name)).join(delimiter);
}

describe.skipIf(process.platform === 'win32')('findProgram', () => {
  it('takes the first of that name on the PATH that may be run', () => {
    program('a/tool', 0o644);
    mkdirSync(join(folder, 'b/tool'), { recursive: true });
    const place = program('c/tool');
    program('d/tool');
    expect(findProgram('tool', { path: pathOf('none', 'a', 'b', 'c', 'd') })).toEqual({ place, real: place });
    expect(findProgram('other', { path: pathOf('a', 'c') })).toBeUndefined();
  });

  it('tells where it was found and where that leads', () => {
    const real = program('lib/tool.mjs');
    mkdirSync(join(folder, 'bin'));
    const place = join(folder, 'bin/tool');
    symlinkSync(real, place);
    expect(findProgram('tool', { path: pathOf('bin') })).toEqual({ place, real });
    expect(findProgram(place, { path: '' })).toEqual({ place, real });
  });

  it('takes nothing below a refused folder, by its spelling or by a link', () => {
    const own = program('w/bin/tool');
    mkdirSync(join(folder, 'links'));
    symlinkSync(own, join(folder, 'links/tool'));
    symlinkSync(join(folder, 'w/bin'), join(folder, 'linked'));
    mkdirSync(join(folder, 'w/out'));
    const outside = program('usr/tool');
    symlinkSync(outside, join(folder, 'w/out/tool'));
    const notBelow = [join(folder, 'w')];
    expect(findProgram('tool', { path: pathOf('w/bin', 'links', 'linked', 'w/out'), notBelow })).toBeUndefined();
    expect(findProgram(own, { path: '', notBelow })).toBeUndefined();
    expect(findProgram('tool', { path: pathOf('w/bin', 'usr'), notBelow })?.real).toBe(outside);
  });

  it('never looks in the working directory', () => {
    program('tool');
    expect(findProgram('tool', { path: ['', '.', './bin'].join(delimiter) })).toBeUndefined();
    for (const name of ['./tool', '../x/tool', '', 'a/../tool', 'to\0ol']) {
      expect(findProgram(name, { path: folder })).toBeUndefined();
    }
  });

  it('tries endings in their order, and takes a name that has one as it is', () => {
    const command = program('bin/npx.cmd');
    const search = { path: pathOf('bin'), endings: ['.exe', '.cmd'] };
    expect(findProgram('npx', search)?.place).toBe(command);
    expect(findProgram('npx.CMD', search)).toBeUndefined();
    expect(findProgram('npx.cmd', search)?.place).toBe(command);
    const native = program('bin/npx.exe');
    expect(findProgram('npx', search)?.place).toBe(native);
  });
});
