import { describe, expect, it } from 'vitest';
import type { Effect } from '../effects/effect.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule } from './rule.js';
import { UntrustedContent } from './untrusted-content.js';
import type { Verdict } from './verdict.js';

const fetchOf = (host: string): Effect => ({ kind: 'fetch', host, url: `https://${host}/` });
const run = (command: string): Effect => ({
  kind: 'run',
  command,
  argv: command.split(' '),
  directory: '/w',
  zone: 'workspace',
  readOnly: false,
});
const allow = (text: string): Rule => ({ list: 'allow', origin: 'test', text });

function judge(
  effects: readonly Effect[],
  rules: readonly string[],
  content?: UntrustedContent,
  mode: ApprovalMode = ApprovalMode.DEFAULT,
): Verdict {
  const untrusted = content?.state;
  const context = {
    mode,
    rules: rules.map(allow),
    roots: ['/w'],
    home: '/h',
    ...(untrusted !== undefined && { untrusted }),
  };
  const toolName = effects.some(({ kind }) => kind === 'run') ? 'run_shell_command' : 'web_fetch';
  return decide({ toolName, effects }, context);
}

const after = (...effects: readonly Effect[]): UntrustedContent => {
  const content = new UntrustedContent();
  content.noteResult(effects);
  return content;
};

describe('once content of strangers came in (S120)', () => {
  it('a fetch is asked about although a rule allows it, with the reason and the setting', () => {
    const rules = ['WebFetch(domain:example.com)'];
    expect(judge([fetchOf('example.com')], rules).decision).toBe('allow');
    const verdict = judge([fetchOf('example.com')], rules, after(fetchOf('docs.example.org')));
    expect(verdict.decision).toBe('ask');
    expect(verdict.reason).toMatch(/example\.com after content of docs\.example\.org came in.*web\.askAfterUntrusted/);
  });

  it('a search at a provider of the person\u2019s own is not asked about; another address of its host is', () => {
    const content = new UntrustedContent(['https://search.example/api']);
    content.noteResult([fetchOf('docs.example.org')]);
    const at = (url: string): Effect => ({ kind: 'fetch', host: 'search.example', url });
    expect(judge([at('https://search.example/api')], ['WebFetch'], content).decision).toBe('allow');
    expect(judge([at('https://search.example/api')], [], content).decision).toBe('ask');
    expect(judge([at('https://search.example/api?q=secret')], ['WebFetch'], content).decision).toBe('ask');
    expect(judge([at('https://search.example/')], ['WebFetch'], content).decision).toBe('ask');
  });

  it('each destination is asked about once', () => {
    const content = after(fetchOf('docs.example.org'));
    content.noteAgreed([fetchOf('EXAMPLE.com')]);
    expect(judge([fetchOf('example.com')], ['WebFetch'], content).decision).toBe('allow');
    expect(judge([fetchOf('example.net')], ['WebFetch'], content).decision).toBe('ask');
  });

  it('what was agreed to before does not count', () => {
    const content = new UntrustedContent();
    content.noteAgreed([fetchOf('example.com')]);
    content.noteResult([fetchOf('docs.example.org')]);
    expect(judge([fetchOf('example.com')], ['WebFetch'], content).decision).toBe('ask');
  });

  it.each(['git push origin main', 'scp a b:c', '/usr/bin/ssh host', 'gh gist create x', 'npm publish'])(
    '%s is asked about although a rule allows it',
    (command) => {
      const rules = ['Bash'];
      expect(judge([run(command)], rules).decision).toBe('allow');
      const content = after(fetchOf('example.com'));
      expect(judge([run(command)], rules, content).decision).toBe('ask');
      content.noteAgreed([run(command)]);
      expect(judge([run(command)], rules, content).decision).toBe('allow');
    },
  );

  it.each(['npm test', 'git status', 'git commit -m x', 'node build.js'])('%s is not', (command) => {
    expect(judge([run(command)], ['Bash'], after(fetchOf('example.com'))).decision).toBe('allow');
  });

  it('deny rules and the plan mode are as strict as before, and yolo asks nothing', () => {
    const content = after(fetchOf('example.org'));
    expect(judge([fetchOf('example.com')], ['WebFetch'], content, ApprovalMode.PLAN).decision).toBe('deny');
    expect(judge([fetchOf('example.com')], ['WebFetch'], content, ApprovalMode.YOLO).decision).toBe('allow');
  });

  it('content of servers counts, that of discovered tools, files and commands does not', () => {
    const foreign = (from: string): Effect => ({ kind: 'foreign', from, tool: 't', does: 'reads', reason: 'r' });
    expect(after(foreign('tracker')).state?.from).toBe('the server tracker');
    expect(after(foreign('discovered'), run('npm test'), { kind: 'ask' }).state).toBeUndefined();
  });
});

describe('rules on domains', () => {
  it('speak of the tool by their effect', () => {
    expect(judge([fetchOf('docs.example.com')], ['WebFetch(domain:example.com)']).decision).toBe('allow');
    expect(judge([fetchOf('evilexample.com')], ['WebFetch(domain:example.com)']).decision).toBe('ask');
    expect(
      judge([fetchOf('github.com'), fetchOf('raw.githubusercontent.com')], ['WebFetch(domain:github.com)']).decision,
    ).toBe('ask');
  });
});
