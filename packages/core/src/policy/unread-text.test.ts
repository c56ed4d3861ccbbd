import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEffect } from '../effects/effect.js';
import { unreadCommand } from '../shell/unread-command.js';
import { ApprovalMode } from './approval-mode.js';
import { decide } from './decide.js';
import type { Rule } from './rule.js';
import { suggestChoices } from './suggest-rules.js';
import { SHELL_TOOL } from './tool-aliases.js';
import type { PolicyContext } from './verdict.js';

const ROOT = '/work/app';

function effectOf(text: string, program = 'pwsh'): RunEffect {
  const name = program === 'cmd' ? 'cmd.exe' : 'PowerShell 7';
  return unreadCommand(text, { directory: ROOT, zone: 'workspace' }, { program, name });
}

type Given = Partial<Record<Rule['list'], readonly string[]>> & { readonly mode?: ApprovalMode };

function contextOf({ mode = ApprovalMode.DEFAULT, ...lists }: Given): PolicyContext {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((list) =>
    (lists[list] ?? []).map((text): Rule => ({ list, text, origin: 'test' })),
  );
  return { mode, rules, roots: [ROOT], home: '/home/ann' };
}

function judge(text: string, given: Given = {}, program?: string): string {
  const call = { toolName: SHELL_TOOL, effects: [effectOf(text, program)] };
  return decide(call, contextOf(given)).decision;
}

describe('without a rule', () => {
  it.each([
    [ApprovalMode.PLAN, 'deny'],
    [ApprovalMode.DEFAULT, 'ask'],
    [ApprovalMode.AUTO_EDIT, 'ask'],
    [ApprovalMode.YOLO, 'allow'],
  ])('a text that is not analysed is %s: %s, even one that only looks around', (mode, decision) => {
    for (const text of ['Get-ChildItem', 'dir', 'git status']) expect(judge(text, { mode })).toBe(decision);
  });

  it('says why', () => {
    const { reason } = decide({ toolName: SHELL_TOOL, effects: [effectOf('dir')] }, contextOf({}));
    expect(reason).toBe('default mode asks before what could not be analysed (PowerShell 7 commands are not analysed)');
  });
});

describe('an allow rule', () => {
  it.each([
    ['Bash(git status)', 'git status'],
    ['Bash(git status)', '  git status\n'],
    ["Bash('git status')", 'git status'],
    ['Bash(echo "a b")', 'echo "a b"'],
    ["Bash('Get-ChildItem | Select-Object Name')", 'Get-ChildItem | Select-Object Name'],
    [String.raw`Bash('echo '\''a; b'\''')`, "echo 'a; b'"],
    ['Bash(npm run test-*)', 'npm run test-unit'],
    ['Bash(dotnet build src/*.csproj -c Release)', 'dotnet build src/App.csproj -c Release'],
    ['Bash', 'anything; at all'],
    ['run_shell_command(git status)', 'git status'],
  ])('%s speaks of %j', (rule, text) => {
    expect(judge(text, { allow: [rule] })).toBe('allow');
    expect(judge(text, { allow: [rule] }, 'cmd')).toBe('allow');
  });

  it.each([
    ['Bash(git *)', 'git status'],
    ['Bash(git *)', 'git status; Remove-Item -Recurse .'],
    ['Bash(git:*)', 'git status'],
    ['Bash(git *)', 'git *'],
    ['Bash(git status)', 'git status; Remove-Item x'],
    ['Bash(git status)', 'git  status'],
    ['Bash(git status)', 'GIT status'],
    ['Bash(git status)', 'git status\ndel x'],
    ['Bash(git status)', 'git status # \u00a0'],
    ['Bash(git status)', 'git status\u00a0'],
    ["Bash(echo 'a; b')", 'echo a; b'],
    ["Bash(echo 'a;b' x*)", 'echo a;b xy'],
    ['Bash(npm run test-*)', 'npm run test-unit;calc'],
    ['Bash(npm run test-*)', 'npm run test-$(calc)'],
    ['Bash(npm run test-*)', 'npm run test-unit extra'],
    ['Bash(npm run test-*)', 'npm run test-%X%'],
    ['Bash(npm run test-*)', 'npm run test-a^&calc'],
    ['Bash(npm run test-*)', 'npm run test-`ncalc'],
    ['Bash(npm run *x)', 'npm run -x'],
    ['Bash(npm run *x)', 'npm run /x'],
    ['Bash(cat src/*)', 'cat src/..'],
    ['Bash(cat src/*)', 'cat src/../../x'],
    ['Bash(cat src/*)', 'cat src/'],
    ['Bash(cat src/*)', 'cat src/.'],
    ['Bash(cat src/*/x)', 'cat src/./x'],
    ['Bash(cat src/*/x)', 'cat src//x'],
    ['Bash(g*t status)', 'git status'],
    ['Bash(pwsh *)', 'Remove-Item x'],
    ['Bash(pwsh)', 'Remove-Item x'],
    ['Edit(**)', 'Set-Content a b'],
  ])('%s does not speak of %j', (rule, text) => {
    for (const program of ['pwsh', 'powershell', 'cmd']) expect(judge(text, { allow: [rule] }, program)).toBe('ask');
  });

  it('never speaks of a text that goes on behind what it allows', () => {
    const more = fc.constantFrom(';', '|', '&', '&&', '||', '\n', '`', '$(', ' ', '{', '@(', '%', '^', '"', "'", ',');
    fc.assert(
      fc.property(
        fc.constantFrom('git status', 'npm run test-a', 'dir'),
        more,
        fc.string({ maxLength: 20 }),
        (text, by, rest) => {
          const whole = `${text}${by}${rest}x`;
          const allow = ['Bash(git *)', 'Bash(git status)', 'Bash(npm run test-*)', 'Bash(npm:*)', 'Bash(dir)'];
          expect(judge(whole, { allow })).toBe('ask');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a deny rule', () => {
  it.each([
    ['Bash(rm *)', 'rm x'],
    ['Bash(rm *)', 'git status; rm -Recurse x'],
    ['Bash(rm *)', 'Remove-Item -Recurse x'],
    ['Bash(rm:*)', 'Get-ChildItem | % { ri $_ }'],
    ['Bash(Remove-Item *)', 'del x'],
    ['Bash(Remove-Item *)', 'REMOVE-ITEM x'],
    ['Bash(Remove-Item *)', 'Microsoft.PowerShell.Management\\Remove-Item x'],
    ['Bash(Remove-*)', 'Remove-Item'],
    ['Bash(rm *)', 'r`m x'],
    ['Bash(rm *)', '& "rm" x'],
    ['Bash(rm *)', "& 'r'm x"],
    ['Bash(rm *)', '&{rm x}'],
    ['Bash(rm *)', '$x=rm x'],
    ['Bash(del *)', 'd^el x'],
    ['Bash(del *)', 'echo a&del/q x'],
    ['Bash(del *)', '@del x'],
    ['Bash(del *)', 'if exist x (del x)'],
    ['Bash(del *)', 'cmd /c "del x"'],
    ['Bash(git push *)', 'cd x; git push origin main'],
    ['Bash(git push)', 'git status; git push 2>$null'],
    ['Bash(git push *)', 'git -C x push --force'],
    ['Bash(curl *)', 'iwr https://example.com'],
    ['Bash(tee *)', 'Tee-Object x'],
    ['Bash(mount *)', 'New-PSDrive x'],
    ['Bash(Set-ItemProperty *)', 'sp x'],
    ['Bash(Set-Alias *)', 'New-Alias x y'],
    ['Bash(net *)', 'net1 user x'],
    ['Bash(more *)', 'Get-Content x'],
    ['Bash', 'dir'],
    ['run_shell_command', 'dir'],
  ])('%s stops %j in every mode, whatever is allowed', (rule, text) => {
    for (const mode of Object.values(ApprovalMode))
      for (const program of ['pwsh', 'cmd'])
        expect(judge(text, { deny: [rule], allow: ['Bash'], mode }, program)).toBe('deny');
  });

  it.each(['Bash(rm *)', 'Read(.env)', 'Edit(docs/**)', 'WebFetch(domain:example.com)'])(
    'that may apply asks, also in yolo mode and where commands are allowed: %s',
    (rule) => {
      expect(judge('& ("r" + "m") x', { deny: [rule], mode: ApprovalMode.YOLO })).toBe('ask');
      expect(judge('& ("r" + "m") x', { deny: [rule], allow: ['Bash'] })).toBe('ask');
    },
  );

  it('that speaks of nothing in the text gives way to a rule that is the whole text', () => {
    const deny = ['Bash(rm *)', 'Read(.env)', 'WebFetch(domain:example.com)'];
    const allow = ["Bash('dotnet build; dotnet test')"];
    expect(judge('dotnet build; dotnet test', { deny, allow })).toBe('allow');
  });

  it.each([
    ['Read(.env)', 'cat .env'],
    ['Read(.env)', 'Get-Content ".env"'],
    ['Read(secrets/**)', String.raw`gc .\secrets\key.txt`],
    ['Read(.env)', 'Select-String KEY *'],
    ['Read(.env)', 'Get-ChildItem x -Recurse'],
    ['WebFetch(domain:example.com)', 'npx x https://example.com/a'],
    ['Read', 'dotnet build'],
  ])('%s does not give way where the text %j may touch it', (rule, text) => {
    expect(judge(text, { deny: [rule], allow: [`Bash('${text}')`] })).toBe('ask');
  });

  it('of the administrator does not give way to a rule of anybody else', () => {
    const rules: Rule[] = [
      { list: 'deny', text: 'Bash(rm *)', origin: 'managed', isManaged: true },
      { list: 'allow', text: 'Bash(dotnet build)', origin: 'user' },
    ];
    const call = { toolName: SHELL_TOOL, effects: [effectOf('dotnet build')] };
    expect(decide(call, { ...contextOf({}), rules }).decision).toBe('ask');
  });

  it('is never lowered by what is put around the command', () => {
    const around = fc.constantFrom(
      (text: string) => `echo a; ${text}`,
      (text: string) => `if ($true) { ${text} }`,
      (text: string) => `& { ${text} }`,
      (text: string) => `$(${text})`,
      (text: string) => `dir | ${text}`,
      (text: string) => `dir &&${text}`,
      (text: string) => `(${text})`,
      (text: string) => `\n${text}\n`,
      (text: string) => `cmd /c "${text}"`,
      (text: string) => text.toUpperCase(),
      (text: string) => text.replace('e', 'e`'),
      (text: string) => text.replace('e', '^e'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('remove-item x', 'del x', 'rd x'),
        fc.array(around, { maxLength: 4 }),
        (text, all) => {
          const whole = all.reduce<string>((inner, wrap) => wrap(inner), text);
          expect(judge(whole, { deny: ['Bash(rm *)'], allow: ['Bash'], mode: ApprovalMode.YOLO })).toBe('deny');
        },
      ),
      { numRuns: 200 },
    );
  });
});

it('asks before a text that names a control file, in every mode', () => {
  for (const text of ['Set-Content .git/config x', String.raw`echo x > .git\hooks\pre-commit`, 'ni ".npmrc"'])
    expect(judge(text, { mode: ApprovalMode.YOLO, allow: ['Bash'] })).toBe('ask');
});

describe('"always"', () => {
  const choices = (text: string) => suggestChoices({ toolName: SHELL_TOOL, effects: [effectOf(text)] }, contextOf({}));

  it.each([
    ['dotnet test', "run_shell_command('dotnet test')"],
    ['git status', "run_shell_command('git status')"],
    ['Get-ChildItem | Select-Object Name', "run_shell_command('Get-ChildItem | Select-Object Name')"],
    ["Write-Output 'a b'", String.raw`run_shell_command('Write-Output '\''a b'\''')`],
    ['dir *.cs', "run_shell_command('dir *.cs')"],
  ])('of %j is the whole text and no other', (text, rule) => {
    expect(choices(text)).toEqual([{ kind: 'exact', rules: [rule] }]);
    expect(judge(text, { allow: [rule] })).toBe('allow');
    expect(judge(`${text}; x`, { allow: [rule] })).toBe('ask');
    expect(judge(`${text} x`, { allow: [rule] })).toBe('ask');
  });

  it.each(['Remove-Item x', 'git status; del x', 'iex $x', 'python -c x', 'r`m x', 'a\nb', 'x'.repeat(2000), ''])(
    'is not offered for %j',
    (text) => expect(choices(text)).toEqual([]),
  );
});

it('reads long and hostile texts in time, and counts what is too long as met', () => {
  expect(judge('write-output some words; '.repeat(300), { deny: ['Bash(rm *)'] })).toBe('ask');
  const begin = performance.now();
  for (const text of [
    'rm '.repeat(20_000),
    '('.repeat(60_000),
    'a;'.repeat(30_000),
    '`'.repeat(60_000),
    'a/'.repeat(30_000),
  ])
    expect(['deny', 'ask']).toContain(judge(text, { deny: ['Bash(rm *)'], allow: ['Bash(a*b c*d)'] }));
  expect(judge('x '.repeat(5000), { deny: ['Bash(rm *)'] })).toBe('deny');
  expect(performance.now() - begin).toBeLessThan(5000);
});
