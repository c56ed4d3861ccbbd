import { describe, expect, it } from 'vitest';
import { hooksPathOf, remarkableSettings } from './git-settings.js';

const PLAIN = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = https://host.example/a.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
[user]
	email = a@b.example
`;

describe('remarkableSettings', () => {
  it('finds nothing in what git itself writes', () => expect(remarkableSettings(PLAIN).all).toEqual([]));

  it.each([
    'core.fsmonitor',
    'core.hooksPath',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'core.askPass',
    'core.gitProxy',
    'core.worktree',
    'core.attributesFile',
    'core.alternateRefsCommand',
    'pager.log',
    'diff.external',
    'diff.orderFile',
    'diff.submodule',
    'status.submoduleSummary',
    'submodule.recurse',
    'credential.helper',
    'alias.st',
    'gpg.program',
    'include.path',
    'sequence.editor',
    'log.showSignature',
    'uploadpack.packObjectsHook',
    'interactive.diffFilter',
    'man.viewer',
    'web.browser',
    'extensions.partialClone',
    'extensions.objectFormat',
    'a.new-program',
  ])('remarks %s', (name) => {
    const [section = '', key = ''] = name.split('.');
    expect(remarkableSettings(`${PLAIN}[${section}]\n${key} = x\n`).all).toEqual([`${name.toLowerCase()} = x`]);
  });

  it.each([
    ['diff', 'x', 'textconv'],
    ['diff', 'x', 'command'],
    ['filter', 'x', 'clean'],
    ['filter', 'x', 'process'],
    ['merge', 'x', 'driver'],
    ['includeIf', 'gitdir:/', 'path'],
    ['remote', 'origin', 'uploadpack'],
    ['remote', 'origin', 'vcs'],
    ['remote', 'origin', 'promisor'],
    ['credential', 'https://a', 'helper'],
    ['difftool', 'x', 'cmd'],
    ['mergetool', 'x', 'cmd'],
    ['browser', 'x', 'cmd'],
    ['submodule', 'x', 'update'],
    ['tar', 'x', 'command'],
    ['trailer', 'x', 'command'],
    ['hook', 'x', 'command'],
    ['url', 'ext::sh', 'insteadOf'],
  ])('remarks %s.%s.%s', (section, subsection, key) => {
    const remarks = remarkableSettings(`[${section} "${subsection}"]\n${key} = x`).all;
    expect(remarks).toEqual([`${section.toLowerCase()}.${subsection}.${key.toLowerCase()} = x`]);
  });

  it('knows folders of hooks that nobody writes to unasked, and no others', () => {
    for (const guarded of ['.husky', '.husky/_', '.githooks', '.git/hooks/'])
      expect(remarkableSettings(`[core]\nhooksPath = ${guarded}`).all).toEqual([]);
    for (const other of ['hooks', '.husky/..', '/tmp/.husky', '.husky/_/../../x', '', '~/.githooks'])
      expect(remarkableSettings(`[core]\nhooksPath = ${other}`).all).toHaveLength(1);
    expect(hooksPathOf('[core]\nhooksPath = a\nHOOKSPATH = b')).toBe('b');
  });

  it('remarks a repository that is bare, a monitor that is on, and a file that git would not read', () => {
    expect(remarkableSettings('[core]\nbare = true').all).toHaveLength(1);
    expect(remarkableSettings('[core]\nbare').all).toHaveLength(1);
    expect(remarkableSettings('[core]\nfsmonitor = false').all).toEqual([]);
    expect(remarkableSettings('[core]\nfsmonitor').all).toHaveLength(1);
    expect(remarkableSettings('core.x = y').all).toEqual(['a configuration that cannot be read with certainty']);
  });
});
