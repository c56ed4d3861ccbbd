import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathEffect } from '../effects/effect.js';
import type { ReadPlace, Withheld, WithheldBy } from '../effects/withheld.js';
import { ApprovalMode } from './approval-mode.js';
import { compileRules } from './compile-rules.js';
import { decide } from './decide.js';
import type { Rule, RuleList } from './rule.js';
import type { PolicyContext } from './verdict.js';
import { readRulesOf, withheldBelow } from './withheld-below.js';

const ROOT = '/work/app';
const SEARCH = 'grep_search';

function context(rules: readonly Rule[]): PolicyContext {
  return { mode: ApprovalMode.DEFAULT, roots: [ROOT, '/work/lib'], home: '/home/ann', rules };
}

function rulesOf(lists: Partial<Record<RuleList, readonly string[]>>): Rule[] {
  return (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'test' })),
  );
}

function below(rules: readonly Rule[], place: ReadPlace, toolName = SEARCH): Withheld | undefined {
  const all = context(rules);
  return withheldBelow(compileRules(rules, all), all, toolName, place);
}

const at = (path: string, requested = path): ReadPlace => ({ path, requested });

/** Folder by folder, as a walk asks. */
function fileBy(withheld: Withheld | undefined, path: string): WithheldBy | undefined {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const by = withheld?.folder(names.slice(0, depth).join('/'));
    if (by !== undefined) return by;
  }
  return withheld?.filesIn(names.slice(0, -1).join('/'))?.(names.at(-1) ?? '');
}

function treeEffect(place: ReadPlace): PathEffect {
  return { kind: 'read', ...place, zone: 'workspace', scope: 'tree', leavesOut: 'denied' };
}

describe('what is withheld below a place', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'src',
    'SRC',
    '.env',
    '.ENV',
    '.env.',
    '.env::$DATA',
    '.e\u200bnv',
    'ｓrc',
    'é',
    'e\u0301',
    'É',
    'secrets',
    'Secrets',
    'key.pem',
    'KEY.Pem',
    'x.ts',
    'gi7eba~1',
    '.git',
    'a b',
    'a[1]',
    'ſrc',
    '.env.local',
  );
  const segment = fc.oneof(
    name.filter((each) => !/[[:]/.test(each)),
    fc.constantFrom('*', '**', '*.pem', '.env*', '?', '[ab]', 's*', String.raw`\a`, String.raw`a\[1\]`),
  );
  const pattern = fc
    .record({
      start: fc.constantFrom('', '', '/', './', '//work/', '//work/app/', '~/'),
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('', '', '/', '/**'),
    })
    .map(({ start, segments, end }) => start + segments.join('/') + end);
  const rule = fc
    .record({
      list: fc.constantFrom<RuleList>('allow', 'ask', 'deny', 'deny'),
      subject: fc.constantFrom('Read', 'Read', 'Read', SEARCH, 'glob', 'Edit'),
      pattern,
    })
    .map(({ list, subject, pattern: text }): Rule => ({ list, text: `${subject}(${text})`, origin: 'test' }));
  const relative = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const place = fc.oneof(
    fc.constantFrom(at(ROOT), at('/work/lib'), at('/work'), at('/home/ann'), at(ROOT, '/work/app/link')),
    relative.map((path) => at(`${ROOT}/${path}`)),
    fc.tuple(relative, relative).map(([path, requested]) => at(`${ROOT}/${path}`, `${ROOT}/${requested}`)),
  );

  it('is what decide answers by a rule to reading the very file, but for what was asked with the place (property)', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), place, relative, (rules, where, path) => {
        const all = context(rules);
        const compiled = compileRules(rules, all);
        // One that cannot be read asks about everything, the place included.
        fc.pre(compiled.problems.length === 0);
        const whole = treeEffect(where);
        fc.pre(decide({ toolName: SEARCH, effects: [whole] }, all, compiled).decision !== 'deny');
        const isAnswered = (text: Rule): boolean =>
          text.list === 'ask' && compiled.rules.find((each) => each.rule === text)?.match(SEARCH, whole) === 'yes';
        const others = { ...all, rules: rules.filter((each) => !isAnswered(each)) };
        const file = `${where.path}/${path}`;
        const requested = `${where.requested}/${path}`;
        const effect: PathEffect = { kind: 'read', path: file, requested, zone: 'workspace' };
        const verdict = decide({ toolName: SEARCH, effects: [effect] }, others);
        const withheld = below(rules, where);
        const expected =
          verdict.decision === 'allow' ? undefined : [verdict.decision, verdict.rule?.text, verdict.rule?.origin];
        const found = fileBy(withheld, path);
        expect(found === undefined).toBe(expected === undefined);
        // A folder on the way may be withheld by another rule: that one speaks of the file too.
        const speaking = compiled.rules.filter(({ rule: { text } }) => text === found?.text);
        if (found !== undefined) expect(speaking.map(({ match }) => match(SEARCH, effect))).toContain('yes');
        const linked = withheld?.link(path, file);
        expect(linked && [linked.list, linked.text, linked.origin]).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('a tree that leaves it out is judged as if it were not there, by built-in tools alone', () => {
    const rules = rulesOf({ deny: ['Read(.env)'], ask: ['Read(secrets/**)', 'grep_search(a/b)'] });
    const decision = (toolName: string, effect: PathEffect): string =>
      decide({ toolName, effects: [effect] }, context(rules)).decision;
    const whole = treeEffect(at(ROOT));
    const { leavesOut: _, ...silent } = whole;
    for (const toolName of ['grep_search', 'glob', 'list_directory', 'read_many_files']) {
      expect(decision(toolName, whole)).toBe('allow');
      expect(decision(toolName, silent)).toBe('ask');
    }
    for (const toolName of ['run_shell_command', 'files__grep_search', 'mcp__files__glob', 'my_search'])
      expect(decision(toolName, whole)).toBe('ask');
    for (const kind of ['write', 'delete'] as const) {
      const strict = context(rulesOf({ deny: ['Edit(.env)'] }));
      const verdict = decide(
        { toolName: 'glob', effects: [{ ...whole, kind }] },
        { ...strict, mode: ApprovalMode.YOLO },
      );
      expect(verdict.decision).toBe('ask');
    }
    expect(decision('glob', treeEffect(at(`${ROOT}/x/.env`)))).toBe('deny');
    expect(decision('glob', treeEffect(at(`${ROOT}/secrets`)))).toBe('ask');
    expect(decision('glob', treeEffect(at(`${ROOT}/x`, `${ROOT}/secrets`)))).toBe('ask');
  });

  it('nothing is prepared where no rule speaks of what the tool reads', () => {
    expect(below([], at(ROOT))).toBeUndefined();
    const rules = rulesOf({ allow: ['Read(.env)'], deny: ['Edit(.env)', 'Bash(cat *)', 'glob(x)', 'WebFetch'] });
    expect(below(rules, at(ROOT))).toBeUndefined();
    expect(below(rules, at(ROOT), 'glob')).toBeDefined();
  });

  it('names that some file system takes for the same count on the way to a file too', () => {
    const withheld = below(rulesOf({ deny: ['Read(.env*/*.pem)', 'Read(src/key)'] }), at(ROOT));
    expect(fileBy(withheld, '.e\u200bnv/a.pem')?.text).toBe('Read(.env*/*.pem)');
    expect(fileBy(withheld, '.e\u200bnv/A.PEM')?.text).toBe('Read(.env*/*.pem)');
    expect(fileBy(withheld, 'ｓrc./key')?.text).toBe('Read(src/key)');
    expect(fileBy(withheld, 'src/KEY::$DATA')?.text).toBe('Read(src/key)');
  });

  it('a folder in which no rule can speak of a file is passed as a whole', () => {
    const withheld = below(rulesOf({ deny: ['Read(/config/*.pem)', 'Read(src/gen/**)'] }), at(ROOT));
    expect(withheld?.filesIn('')).toBeUndefined();
    expect(withheld?.filesIn('docs/config')).toBeUndefined();
    expect(withheld?.filesIn('config')).toBeDefined();
    expect(withheld?.filesIn('src')).toBeDefined();
    expect(withheld?.folder('src')).toBeUndefined();
    expect(withheld?.folder('src/gen')).toEqual({ list: 'deny', text: 'Read(src/gen/**)', origin: 'test' });
  });

  it('a link is judged by its name and by where it leads, be it beyond the place', () => {
    const withheld = below(rulesOf({ deny: ['Read(/secrets/**)', 'Read(~/.ssh/**)'] }), at(`${ROOT}/docs`));
    expect(withheld?.filesIn('')).toBeUndefined();
    expect(withheld?.link('a', `${ROOT}/secrets/key`)?.text).toBe('Read(/secrets/**)');
    expect(withheld?.link('a', '/home/ann/.ssh/id')?.text).toBe('Read(~/.ssh/**)');
    expect(withheld?.link('a', `${ROOT}/docs/b`)).toBeUndefined();
  });

  it('the rules are asked for anew each time', () => {
    const rules: Rule[] = [];
    const read = readRulesOf(() => context(rules));
    expect(read.below(SEARCH, at(ROOT))).toBeUndefined();
    rules.push({ list: 'deny', text: 'Read(.env)', origin: 'test' });
    expect(fileBy(read.below(SEARCH, at(ROOT)), '.env')?.list).toBe('deny');
    const { key } = read.below(SEARCH, at(ROOT)) ?? { key: '' };
    rules.push({ list: 'ask', text: 'Read(b)', origin: 'test' });
    expect(read.below(SEARCH, at(ROOT))?.key).not.toBe(key);
  });
});
