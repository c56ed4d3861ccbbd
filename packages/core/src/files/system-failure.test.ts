import { describe, expect, it } from 'vitest';
import { Failure } from '../util/failure.js';
import { systemFailure } from './system-failure.js';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: something`), { code });

describe('systemFailure', () => {
  it.each([
    ['EMFILE', 'too_many_open_files', /fewer calls/],
    ['ENFILE', 'too_many_open_files', /fewer calls/],
    ['EROFS', 'read_only_file_system', /another folder/],
    ['ENOSPC', 'no_space_left', /Free some space/],
    ['EDQUOT', 'no_space_left', /quota.*Free some space/],
    ['EPERM', 'permission_denied', /immutable.*lsattr/],
    ['EACCES', 'permission_denied', /owner and the mode/],
    ['EBUSY', 'file_busy', /Try again/],
  ])('says of %s what it is and what to do', (system, code, words) => {
    const failure = systemFailure(systemError(system), 'Cannot write /w/x');
    expect(failure).toMatchObject({ code, message: expect.stringMatching(/^Cannot write \/w\/x: /) });
    expect(failure.message).toMatch(words);
  });

  it('keeps the system’s words where it knows no better, and a failure as it is', () => {
    expect(systemFailure(systemError('EIO'), 'Cannot read /w/x').message).toBe('Cannot read /w/x: EIO: something.');
    const failure = new Failure('file_changed', 'It changed.');
    expect(systemFailure(failure, 'Cannot read /w/x')).toBe(failure);
  });
});
