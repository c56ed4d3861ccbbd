import { describe, expect, it } from 'vitest';
import { FileVersions, type Sighting } from './file-versions.js';

const sighting = (over: Partial<Sighting> = {}): Sighting => ({
  agent: 'main',
  callId: 'c1',
  path: '/w/a',
  version: { hash: 'h1', stamp: 's1' },
  request: '0:2000',
  first: 0,
  end: 10,
  totalLines: 10,
  ...over,
});

describe('FileVersions', () => {
  it('knows nothing of a file that was not read, or that another agent read', () => {
    const versions = new FileVersions();
    versions.noteRead(sighting());
    expect(versions.acquaintance('main', '/w/b', { hash: 'h1' })).toEqual({ known: 'nothing' });
    expect(versions.acquaintance('helper', '/w/a', { hash: 'h1' })).toEqual({ known: 'nothing' });
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'all' });
  });

  it('forgets what one agent saw when its conversation is another, and nobody else\u2019s', () => {
    const versions = new FileVersions();
    for (const agent of ['main', 'mainly']) versions.noteRead(sighting({ agent, text: 'x' }));
    versions.forget('main');
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'nothing' });
    expect(versions.acquaintance('mainly', '/w/a', { hash: 'h1' })).toEqual({ known: 'all' });
  });

  it('adds up the lines of several reads of one version', () => {
    const versions = new FileVersions();
    versions.noteRead(sighting({ end: 4, totalLines: undefined }));
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'part', next: 4 });
    versions.noteRead(sighting({ first: 7, end: 10 }));
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'part', next: 4 });
    versions.noteRead(sighting({ first: 4, end: 7 }));
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'all' });
    expect(versions.acquaintance('main', '/w/a', { stamp: 's1' })).toEqual({ known: 'all' });
  });

  it('does not count a read of the end as a read of the file', () => {
    const versions = new FileVersions();
    versions.noteRead(sighting({ first: 5 }));
    expect(versions.acquaintance('main', '/w/a', { hash: 'h1' })).toEqual({ known: 'part', next: 0 });
  });

  it('tells another version, what was seen before, and who wrote it', () => {
    const versions = new FileVersions();
    versions.noteRead(sighting({ text: 'old' }));
    expect(versions.acquaintance('main', '/w/a', { hash: 'h2' })).toMatchObject({ known: 'older', seen: 'old' });
    const author = { agent: 'helper', callId: 'c2', title: 'a' };
    versions.noteWrite('/w/a', 'h2', author, 'new');
    expect(versions.acquaintance('main', '/w/a', { hash: 'h2' })).toEqual({ known: 'older', seen: 'old', author });
    expect(versions.acquaintance('helper', '/w/a', { hash: 'h2' })).toEqual({ known: 'all' });
    expect(versions.acquaintance('main', '/w/a', { hash: 'h3' })).toMatchObject({ author: undefined });
  });

  it('gives the call that answered the same request once, for the same content only', () => {
    const versions = new FileVersions();
    versions.noteRead(sighting());
    expect(versions.takeAnswered('main', '/w/a', { hash: 'h2' }, '0:2000')).toBeUndefined();
    expect(versions.takeAnswered('main', '/w/a', { hash: 'h1' }, '5:2000')).toBeUndefined();
    expect(versions.takeAnswered('main', '/w/a', { hash: 'h1' }, '0:2000')).toBe('c1');
    expect(versions.takeAnswered('main', '/w/a', { hash: 'h1' }, '0:2000')).toBeUndefined();
  });

  it('forgets the texts and the files that were met longest ago', () => {
    const versions = new FileVersions();
    for (let n = 0; n < 5000; n += 1) versions.noteRead(sighting({ path: `/w/${n}`, text: 'x'.repeat(20_000) }));
    expect(versions.acquaintance('main', '/w/0', { hash: 'h1' })).toEqual({ known: 'nothing' });
    expect(versions.acquaintance('main', '/w/2000', { hash: 'h2' })).toMatchObject({ known: 'older', seen: undefined });
    expect(versions.acquaintance('main', '/w/4999', { hash: 'h2' })).toMatchObject({ seen: 'x'.repeat(20_000) });
  });
});
