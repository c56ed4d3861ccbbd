import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { projectFolders } from './project-folders.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-home-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function failureOf(home: string): Failure {
  try {
    projectFolders(home, '/work/project');
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error(`${home} was accepted`);
}

describe('projectFolders', () => {
  it('makes every missing folder, for the owner only, and takes those that are there', () => {
    const home = join(folder, 'deep', 'home');
    const { base, temp, sessions } = projectFolders(home, '/work/project');
    for (const made of [join(folder, 'deep'), home, base, temp, sessions])
      expect(statSync(made).mode & 0o777).toBe(0o700);
    chmodSync(base, 0o755);
    expect(projectFolders(home, '/work/project')).toMatchObject({ base, temp, sessions });
    expect(statSync(base).mode & 0o777).toBe(0o700);
  });

  it('goes through a link to a folder', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'home'));
    projectFolders(join(folder, 'home'), '/work/project');
    expect(statSync(join(folder, 'real', 'projects')).isDirectory()).toBe(true);
  });

  it.each([
    ['a file', 'file', 'is not a folder'],
    ['a place below a file', 'file/below', 'is not a folder'],
    ['a link that leads nowhere', 'nowhere', 'is a link that leads nowhere'],
    ['a link to itself', 'circle', 'cannot be opened (ELOOP)'],
  ])('says what is wrong with %s, and what to do', (_name, place, problem) => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync('gone', join(folder, 'nowhere'));
    symlinkSync('circle', join(folder, 'circle'));
    const failure = failureOf(join(folder, place));
    expect(failure.code).toBe('home_unusable');
    expect(failure.message).toContain(problem);
    expect(failure.message).toContain('TENON_HOME');
  });

  it.runIf(process.platform === 'linux')('gives up where the system makes no folders', () => {
    expect(failureOf('/proc/nope').message).toContain('/proc/nope cannot be made');
  });
});
