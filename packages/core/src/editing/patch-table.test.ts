import { describe, expect, it } from 'vitest';
import { explainLost } from './explain-patch.js';
import { parsePatch } from './parse-patch.js';
import { planPatch } from './plan-patch.js';

type Files = Readonly<Record<string, string>>;

/** The files afterwards, or all that is wrong, one line each. */
function apply(files: Files, patch: string): Files | string {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return `syntax: ${parsed.fault.message}`;
  const now = new Map(Object.entries(files).map(([path, text]) => [path, { text, trustHints: true }]));
  const plan = planPatch({ patch: parsed.patch, keyOf: (path) => path, files: now });
  if (!plan.ok) {
    return plan.problems
      .map((problem) =>
        problem.reason === 'hunk'
          ? `${problem.path}: ${explainLost(problem.lost, problem.text)}`
          : `${problem.path}: ${problem.reason}`,
      )
      .join('\n');
  }
  const after = { ...files };
  for (const { path, proposed } of plan.files) {
    if (proposed === null) delete after[path];
    else after[path] = proposed;
  }
  return after;
}

const CODE = `import os

class A:
    def run(self):
        x = 1
        return x

    def stop(self):
        return None

class B:
    def run(self):
        x = 1
        return x

    def stop(self):
        return None
`;
const SMALL = 'one\ntwo\nthree\nfour\nfive\n';

function body(...lines: string[]): string {
  return ['*** Begin Patch', '*** Update File: f', ...lines, '*** End Patch'].join('\n');
}

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly files?: Files;
  readonly patch: string;
  /** The text of `f` afterwards, all files, or what the refusal says. */
  readonly gives: string | Files | RegExp;
}

const LANDS: readonly Row[] = [
  {
    name: 'one hunk',
    text: SMALL,
    patch: body('@@', ' two', '-three', '+3', ' four'),
    gives: 'one\ntwo\n3\nfour\nfive\n',
  },
  {
    name: 'no @@ above the first hunk',
    text: SMALL,
    patch: body(' two', '-three', '+3'),
    gives: 'one\ntwo\n3\nfour\nfive\n',
  },
  {
    name: 'several hunks',
    text: SMALL,
    patch: body('@@', '-one', '+1', '@@', '-five', '+5'),
    gives: '1\ntwo\nthree\nfour\n5\n',
  },
  {
    name: 'hunks that share context',
    text: SMALL,
    patch: body('@@', '-one', '+1', ' two', '@@', ' two', '-three', '+3'),
    gives: '1\ntwo\n3\nfour\nfive\n',
  },
  {
    name: 'hunks out of order',
    text: SMALL,
    patch: body('@@', '-five', '+5', '@@', '-one', '+1'),
    gives: '1\ntwo\nthree\nfour\n5\n',
  },
  { name: 'only removed lines', text: SMALL, patch: body('@@', '-two', '-three'), gives: 'one\nfour\nfive\n' },
  {
    name: 'lines added below context',
    text: SMALL,
    patch: body('@@', ' two', '+2.5'),
    gives: 'one\ntwo\n2.5\nthree\nfour\nfive\n',
  },
  {
    name: 'added before removed',
    text: SMALL,
    patch: body('@@', ' two', '+3', '-three'),
    gives: 'one\ntwo\n3\nfour\nfive\n',
  },
  { name: 'lines alone go to the end', text: SMALL, patch: body('@@', '+six'), gives: `${SMALL}six\n` },
  {
    name: 'lines alone go below their anchor',
    text: SMALL,
    patch: body('@@ two', '+2.5'),
    gives: 'one\ntwo\n2.5\nthree\nfour\nfive\n',
  },
  { name: 'end of file', text: 'x\ny\nx\n', patch: body('@@', '-x', '+z', '*** End of File'), gives: 'x\ny\nz\n' },
  {
    name: 'end of file with blank lines behind it',
    text: 'x\ny\nx\n\n',
    patch: body('@@', '-x', '+z', '*** End of File'),
    gives: 'x\ny\nz\n\n',
  },
  {
    name: 'a line that begins with a backslash does not leave the file open',
    text: 'a\nold\n\\bye\n',
    patch: body('@@', ' a', '-old', '+new', '\\bye'),
    gives: 'a\nnew\n\\bye\n',
  },
  {
    name: 'lines added before the first of a file with a mark at its head',
    text: '\ufeffimport x\nb\n',
    patch: body('@@', '+import q', ' import x', ' b'),
    gives: '\ufeffimport q\nimport x\nb\n',
  },
  {
    name: 'the first line of a file with a mark at its head goes',
    text: '\ufeffimport x\nb\n',
    patch: body('@@', '-import x', ' b'),
    gives: '\ufeffb\n',
  },
  {
    name: 'an anchor chooses the class',
    text: CODE,
    patch: body('@@ class B:', '-        x = 1', '+        x = 2'),
    gives: CODE.replace(/x = 1(?![^]*x = 1)/, 'x = 2'),
  },
  {
    name: 'the block of an anchor ends before the next one',
    text: CODE,
    patch: body('@@ class A:', '-        x = 1', '+        x = 2'),
    gives: CODE.replace('x = 1', 'x = 2'),
  },
  {
    name: 'nested anchors',
    text: CODE,
    patch: body('@@ class B:', '@@     def stop(self):', '-        return None', '+        return 1'),
    gives: CODE.replace(/None(?![^]*None)/, '1'),
  },
  {
    name: 'an anchor that is only the start of its line',
    text: CODE,
    patch: body('@@ class A', '@@ def stop', '-        return None', '+        return 1'),
    gives: CODE.replace('None', '1'),
  },
  {
    name: 'an anchor that is context as well',
    text: CODE,
    patch: body('@@ class B:', ' class B:', '     def run(self):', '-        x = 1', '+        x = 2'),
    gives: CODE.replace(/x = 1(?![^]*x = 1)/, 'x = 2'),
  },
  {
    name: 'an anchor for a later hunk of the same block',
    text: CODE,
    patch: body(
      '@@ class B:',
      '-        x = 1',
      '+        x = 2',
      '@@ class B:',
      '-        return None',
      '+        return 1',
    ),
    gives: CODE.replace(/x = 1(?![^]*x = 1)/, 'x = 2').replace(/None(?![^]*None)/, '1'),
  },
  {
    name: 'an anchor with @@ on both sides',
    text: CODE,
    patch: body('@@ class A: @@', '-        x = 1', '+        x = 2'),
    gives: CODE.replace('x = 1', 'x = 2'),
  },
  {
    name: 'a block in braces',
    text: 'f()\n{\n  a;\n}\ng()\n{\n  a;\n}\n',
    patch: body('@@ f()', '-  a;', '+  b;'),
    gives: 'f()\n{\n  b;\n}\ng()\n{\n  a;\n}\n',
  },
  {
    name: 'line numbers decide between equal places',
    text: 'x\ny\nx\ny\n',
    patch: body('@@ -3,1 +3,1 @@', '-x', '+z'),
    gives: 'x\ny\nz\ny\n',
  },
  {
    name: 'wrong line numbers do not matter where the place is clear',
    text: SMALL,
    patch: body('@@ -90,7 +12,3 @@ no such words', '-two', '+2'),
    gives: 'one\n2\nthree\nfour\nfive\n',
  },
  {
    name: 'words behind line numbers decide as an anchor',
    text: CODE,
    patch: body('@@ -99,3 +99,3 @@ class B:', '-        x = 1', '+        x = 2'),
    gives: CODE.replace(/x = 1(?![^]*x = 1)/, 'x = 2'),
  },
  { name: 'a bare line number', text: 'x\ny\nx\n', patch: body('@@ 3 @@', '-x', '+z'), gives: 'x\ny\nz\n' },
  {
    name: 'a unified diff of git',
    text: SMALL,
    patch:
      'diff --git a/f b/f\nindex 1234567..89abcde 100644\n--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    gives: 'one\n2\nthree\nfour\nfive\n',
  },
  {
    name: 'a unified diff inside Begin and End',
    text: SMALL,
    patch: '*** Begin Patch\n--- a/f\n+++ b/f\n@@\n-two\n+2\n*** End Patch',
    gives: 'one\n2\nthree\nfour\nfive\n',
  },
  {
    name: 'names of a unified diff below Update File',
    text: SMALL,
    patch: body('--- a/f', '+++ b/f', '@@ -2 +2 @@', '-two', '+2'),
    gives: 'one\n2\nthree\nfour\nfive\n',
  },
  {
    name: 'unified diffs of several files',
    files: { f: 'a\n', g: 'b\n' },
    patch: '--- f\t2026-01-01\n+++ f\t2026-01-02\n@@ -1 +1 @@\n-a\n+A\n--- g\n+++ g\n@@ -1 +1 @@\n-b\n+B\n',
    gives: { f: 'A\n', g: 'B\n' },
  },
  {
    name: 'a removed line that looks like a name',
    text: '-- a\n++ b\nc\n',
    patch: body('@@', '--- a', '-++ b', '+++ b', ' c'),
    gives: '++ b\nc\n',
  },
  {
    name: 'git adds, deletes and moves',
    files: { old: 'x\n', gone: 'y\n' },
    patch:
      'diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\ndiff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+1\n+2\n',
    gives: { new: 'x\n', n: '1\n2\n' },
  },
  {
    name: 'no line end at the end, said by the patch',
    text: 'a\nb\n',
    patch: body('@@', '-b', '+B', '\\ No newline at end of file'),
    gives: 'a\nB',
  },
  {
    name: 'a line end where there was none, said by the patch',
    text: 'a\nb',
    patch: body('@@', '-b', '\\ No newline at end of file', '+B'),
    gives: 'a\nB\n',
  },
  { name: 'no line end stays none', text: 'a\nb', patch: body('@@', ' a', '-b', '+B', '+C'), gives: 'a\nB\nC' },
  {
    name: 'no line end and lines at the end',
    text: 'a\nb',
    patch: body('@@', '+c', '*** End of File'),
    gives: 'a\nb\nc',
  },
  {
    name: 'CRLF in the file, LF in the patch',
    text: 'a\r\nb\r\nc\r\n',
    patch: body('@@', ' a', '-b', '+B', '+BB'),
    gives: 'a\r\nB\r\nBB\r\nc\r\n',
  },
  {
    name: 'LF in the file, CRLF in the patch',
    text: 'a\nb\n',
    patch: body('@@', '-b', '+B').replaceAll('\n', '\r\n'),
    gives: 'a\nB\n',
  },
  {
    name: 'mixed line ends',
    text: 'a\r\nb\nc\r\nd\n',
    patch: body('@@', '-a', '-b', '+A', '+B', ' c', '-d', '+D'),
    gives: 'A\r\nB\nc\r\nD\n',
  },
  {
    name: 'white space at the ends of lines',
    text: 'a  \nb\t\nc\n',
    patch: body('@@', ' a', '-b', '+B'),
    gives: 'a  \nB\nc\n',
  },
  {
    name: 'context without the blank before it',
    text: '    if x:\n        y()\n',
    patch: body('@@', '    if x:', '-        y()', '+        z()'),
    gives: '    if x:\n        z()\n',
  },
  {
    name: 'context without a sign, tabs',
    text: '\tif x {\n\t\ty()\n\t}\n',
    patch: body('@@', '\tif x {', '-\t\ty()', '+\t\tz()', '\t}'),
    gives: '\tif x {\n\t\tz()\n\t}\n',
  },
  {
    name: 'another indentation',
    text: 'class A {\n    f() {\n        a();\n    }\n}\n',
    patch: body('@@', ' f() {', '-    a();', '+    b();', '+    c();', ' }'),
    gives: 'class A {\n    f() {\n        b();\n        c();\n    }\n}\n',
  },
  {
    name: 'tabs in the file, spaces in the patch',
    text: 'f() {\n\tif (x) {\n\t\ta();\n\t}\n}\n',
    patch: body('@@', '     if (x) {', '-        a();', '+        b();', '     }'),
    gives: 'f() {\n\tif (x) {\n\t\tb();\n\t}\n}\n',
  },
  {
    name: 'look-alikes in context stay',
    text: 'say \u201chi\u201d \u2014 now\nold\n',
    patch: body('@@', ' say "hi" - now', '-old', '+new'),
    gives: 'say \u201chi\u201d \u2014 now\nnew\n',
  },
  {
    name: 'look-alikes in a line that changes stay',
    text: 'He said \u201cyes\u201d \u2013 once\n',
    patch: body('@@', '-He said "yes" - once', '+He said "yes" - twice'),
    gives: 'He said \u201cyes\u201d \u2013 twice\n',
  },
  {
    name: 'a line that goes and comes again stays as it is',
    text: 'a  \nb\n',
    patch: body('@@', '-a', '-b', '+a', '+c'),
    gives: 'a  \nc\n',
  },
  {
    name: 'empty context lines without their blank',
    text: 'a\n\nb\n\nc\n',
    patch: body('@@', ' a', '', '-b', '+B', '', ' c'),
    gives: 'a\n\nB\n\nc\n',
  },
  {
    name: 'blank lines between hunks',
    text: SMALL,
    patch: body('', '@@', '-one', '+1', '', '', '@@', '-five', '+5', ''),
    gives: '1\ntwo\nthree\nfour\n5\n',
  },
  {
    name: 'a new file',
    files: {},
    patch: '*** Begin Patch\n*** Add File: n\n+a\n+\n+b\n*** End Patch',
    gives: { n: 'a\n\nb\n' },
  },
  { name: 'an empty new file', files: {}, patch: '*** Begin Patch\n*** Add File: n\n*** End Patch', gives: { n: '' } },
  {
    name: 'a new file whose empty lines lack the sign',
    files: {},
    patch: '*** Begin Patch\n*** Add File: n\n+a\n\n+b\n\n*** End Patch',
    gives: { n: 'a\n\nb\n' },
  },
  {
    name: 'a new file without any sign',
    files: {},
    patch: '*** Begin Patch\n*** Add File: n\na\n  - b\n\n*** End Patch',
    gives: { n: 'a\n  - b\n' },
  },
  {
    name: 'a new file with lines that look like a patch',
    files: {},
    patch: '*** Begin Patch\n*** Add File: n\n+*** Begin Patch\n+@@\n++x\n+*** End Patch\n*** End Patch',
    gives: { n: '*** Begin Patch\n@@\n+x\n*** End Patch\n' },
  },
  {
    name: 'a file goes',
    files: { f: 'a\n', g: 'b\n' },
    patch: '*** Begin Patch\n*** Delete File: f\n*** End Patch',
    gives: { g: 'b\n' },
  },
  {
    name: 'a file goes with its lines listed',
    files: { f: 'a\n' },
    patch: '*** Begin Patch\n*** Delete File: f\n-a\n*** End Patch',
    gives: {},
  },
  {
    name: 'a file is moved',
    files: { f: 'a\n' },
    patch: '*** Begin Patch\n*** Update File: f\n*** Move to: g\n*** End Patch',
    gives: { g: 'a\n' },
  },
  {
    name: 'a file is moved and changed',
    files: { f: 'a\nb\n' },
    patch: '*** Begin Patch\n*** Update File: f\n*** Move to: d/g\n@@\n-b\n+c\n*** End Patch',
    gives: { 'd/g': 'a\nc\n' },
  },
  {
    name: 'moved, then changed under the new name, then moved on',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n*** Move to: g\n*** Update File: g\n*** Move to: h\n@@\n-a\n+b\n',
    gives: { h: 'b\n' },
  },
  {
    name: 'two files change places',
    files: { f: '1\n', g: '2\n' },
    patch:
      '*** Update File: f\n*** Move to: t\n*** Update File: g\n*** Move to: f\n*** Update File: t\n*** Move to: g\n',
    gives: { f: '2\n', g: '1\n' },
  },
  {
    name: 'one file in two parts',
    text: SMALL,
    patch: body('@@', '-one', '+1', '*** Update File: f', '@@', '-1', '+eins', ' two'),
    gives: 'eins\ntwo\nthree\nfour\nfive\n',
  },
  {
    name: 'deleted and added anew',
    files: { f: 'a\n' },
    patch: '*** Delete File: f\n*** Add File: f\n+b\n',
    gives: { f: 'b\n' },
  },
  {
    name: 'added and changed',
    files: {},
    patch: '*** Add File: n\n+a\n*** Update File: n\n@@\n-a\n+b\n',
    gives: { n: 'b\n' },
  },
  {
    name: 'other words for the headers',
    files: { f: 'a\n', g: 'b\n' },
    patch:
      '*** begin patch\n***Create File: "n"\n+1\n*** Modify File: `f`\n@@\n-a\n+A\n*** Remove File: g\n*** end patch\n',
    gives: { n: '1\n', f: 'A\n' },
  },
  {
    name: 'two patches in one text',
    files: { f: 'a\n', g: 'b\n' },
    patch:
      '*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n\n*** Begin Patch\n*** Update File: g\n@@\n-b\n+B\n*** End Patch\n',
    gives: { f: 'A\n', g: 'B\n' },
  },
  {
    name: 'a path with blanks',
    files: { 'my file': 'a\n' },
    patch: '*** Update File: my file  \n@@\n-a\n+b\n',
    gives: { 'my file': 'b\n' },
  },
  {
    name: 'as many equal hunks as equal places',
    text: 'x\ny\nx\n',
    patch: body('@@', '-x', '+z', '@@', '-x', '+z'),
    gives: 'z\ny\nz\n',
  },
  { name: 'a BOM stays', text: '\ufeffa\nb\n', patch: body('@@', '-b', '+c'), gives: '\ufeffa\nc\n' },
  {
    name: 'a word that repeats, unique behind the hunk before',
    text: 'x\nm\nx\n',
    patch: body('@@', '-m', '+M', '@@', '-x', '+z'),
    gives: 'x\nM\nz\n',
  },
];

/** Hunks of context alone, which only say where the next one continues, and hunks that fit several places but for their order. */
const IN_ORDER: readonly Row[] = [
  {
    name: 'context alone is the anchor of the next hunk',
    text: CODE,
    patch: body('@@', ' class B:', '@@', '         x = 1', '-        return x', '+        return 2'),
    gives: CODE.replace(/return x(?![^]*return x)/, 'return 2'),
  },
  {
    name: 'context alone of several lines, and the next hunk in its block',
    text: CODE,
    patch: body('@@', ' class A:', '     def run(self):', '@@', '-        return x', '+        return 2'),
    gives: CODE.replace('return x', 'return 2'),
  },
  {
    name: 'context alone that stands in several places, before a hunk that does not',
    text: SMALL.replace('four', 'two'),
    patch: body('@@', ' two', '@@', '-five', '+5'),
    gives: 'one\ntwo\nthree\ntwo\n5\n',
  },
  {
    name: 'context alone behind the last change',
    text: SMALL,
    patch: body('@@', '-two', '+2', '@@', ' four', ' five'),
    gives: 'one\n2\nthree\nfour\nfive\n',
  },
  {
    name: 'hunks that repeat, each with one place in their order',
    text: 'a\nx\nb\nx\nc\nx\n',
    patch: body('@@', '-x', '+1', '@@', '-b', '+B', '@@', '-x', '+2', '@@', '-c', '+C', '@@', '-x', '+3'),
    gives: 'a\n1\nB\n2\nC\n3\n',
  },
  {
    name: 'a hunk between two others that have one place each',
    text: 'x\nm\nx\nn\nx\n',
    patch: body('@@', '-m', '+M', '@@', '-x', '+y', '@@', '-n', '+N'),
    gives: 'x\nM\ny\nN\nx\n',
  },
];

const REFUSED: readonly Row[] = [
  {
    name: 'context alone that is nowhere',
    text: SMALL,
    patch: body('@@', ' six', '@@', '-two', '+2'),
    gives: /Hunk 1 .*was not found/,
  },
  {
    name: 'context alone, and two places for the next hunk in its block',
    text: 'a:\n  x\n  x\nb:\n  y\n',
    patch: body('@@', ' a:', '@@', '-  x', '+  z'),
    gives: /Hunk 2 .*fits 2 places \(exact match\), at lines 2, 3/,
  },
  {
    name: 'hunks that repeat, and one place more than they are',
    text: 'x\na\nx\nb\nx\nx\n',
    patch: body('@@', '-x', '+1', '@@', '-b', '+B', '@@', '-x', '+2'),
    gives: /Hunk 1 .*at lines 1, 3[^]*Hunk 3 .*at lines 5, 6/,
  },
  {
    name: 'a placeholder for code that is left out',
    text: SMALL,
    patch: body('@@', ' one', '-two', '-three', '+// ... rest of code ...'),
    gives: /f: omission/,
  },
  {
    name: 'a placeholder in place of functions, under a line that changes',
    files: { f: 'a() {\n  return 1;\n}\nb() {\n  return 2;\n}\nc() {\n  return 3;\n}\n' },
    patch:
      '*** Update File: f\n@@\n a() {\n-  return 1;\n-}\n-b() {\n-  return 2;\n-}\n-c() {\n-  return 3;\n+  return 10;\n }\n+// ...',
    gives: /f: omission/,
  },
  {
    name: 'a placeholder in a file that takes the place of one that is deleted',
    files: { f: 'a();\nb();\nc();\n' },
    patch: '*** Delete File: f\n*** Add File: f\n+a(1);\n+// ...',
    gives: /f: omission/,
  },
  {
    name: 'a placeholder in a new file',
    files: {},
    patch: '*** Add File: n\n+import x\n+# ... existing code ...\n',
    gives: /n: omission/,
  },
  {
    name: 'line numbers of a read',
    text: SMALL,
    patch: body('@@', ' 1→one', '-2→two', '+2→zwei'),
    gives: /line numbers of a read/,
  },
  {
    name: 'line numbers of a read in old lines',
    text: SMALL,
    patch: body('@@', ' 1→one', '-2→two', '+zwei'),
    gives: /line numbers of a read/,
  },
  {
    name: 'more equal places than equal hunks',
    text: 'x\ny\nx\ny\nx\n',
    patch: body('@@', '-x', '+z', '@@', '-x', '+z'),
    gives: /fits 3 places.*\nf: Hunk 2.*fits 3 places/,
  },
  {
    name: 'two equal places',
    text: 'x\ny\nx\n',
    patch: body('@@', '-x', '+z'),
    gives: /fits 2 places \(exact match\), at lines 1, 3\. Add lines of context/,
  },
  {
    name: 'two equal places in the block of the anchor',
    text: 'class A:\n  x\n  y\n  x\n',
    patch: body('@@ class A:', '-  x', '+  z'),
    gives: /at lines 2, 4/,
  },
  {
    name: 'an anchor that stands twice',
    text: CODE,
    patch: body('@@ def run(self):', '-        x = 1', '+        x = 2'),
    gives: /fits 2 places/,
  },
  {
    name: 'lines alone below an anchor that stands twice',
    text: CODE,
    patch: body('@@ def run(self):', '+        y = 1'),
    gives: /below "@@ def run\(self\):", but that stands at lines 4, 12/,
  },
  {
    name: 'an anchor that is nowhere',
    text: CODE,
    patch: body('@@ class C(Base):', '-import os', '+import sys'),
    gives: /no line like its anchor "@@ class C\(Base\):".*The nearest line is \d+/,
  },
  {
    name: 'lines in the block of another line than the anchor',
    text: 'def a():\n    return 1\n\ndef b():\n    return 2\n',
    patch: body('@@ def a():', '-    return 2', '+    return 3'),
    gives: /does not stand below its anchor/,
  },
  {
    name: 'a line without a sign that begins with a backslash is context',
    text: '\\section{A}\nold\n\\section{B}\nnew\n',
    patch: body('@@', '\\section{B}', '-old', '+changed'),
    gives: /f: /,
  },
  {
    name: 'the end of a here-document would no longer stand at the margin',
    text: 'f() {\n    a\n    b\n}\n',
    patch: body('@@', ' a', '+cat <<EOF', '+x', '+EOF', ' b'),
    gives: /f: /,
  },
  {
    name: 'lines added less deep than the others, where the first lacks its indentation',
    text: 'class A:\n    def f(self):\n        x = 1\n        return x\n',
    patch: body('@@', ' def f(self):', '+    """Doc."""', '-        x = 1', '+        x = 2'),
    gives: /f: /,
  },
  {
    name: 'lines that stand above their anchor',
    text: CODE,
    patch: body('@@ class B:', '-import os', '+import sys'),
    gives: /does not stand below its anchor.*at 1\./,
  },
  {
    name: 'not at the end of the file',
    text: SMALL,
    patch: body('@@', '-two', '+2', '*** End of File'),
    gives: /does not stand at the end of the file.*at 2\./,
  },
  {
    name: 'lines that are nowhere, with the nearest ones',
    text: SMALL,
    patch: body('@@', ' two', '-drei', '+3', ' four'),
    gives:
      /2 of its 3 old lines are alike here; the first that differs is "drei" where the file has "three".*\n2→two\n3→three\n4→four/,
  },
  { name: 'nothing alike', text: SMALL, patch: body('@@', '-qqqqq', '+3'), gives: /nothing in the file is like/ },
  {
    name: 'applied already',
    text: SMALL,
    patch: body('@@', ' one', '-zwei', '+two', ' three'),
    gives: /is applied already: its new lines stand at line 1/,
  },
  {
    name: 'the same hunk twice',
    text: SMALL,
    patch: body('@@', '-two', '+2', '@@', '-two', '+2'),
    gives: /another hunk of this file changes/,
  },
  { name: 'a number alone', text: SMALL, patch: body('@@ -2,0 +3 @@', '+2.5'), gives: /nothing but a line number/ },
  {
    name: 'a string that differs',
    text: "f('abc');\n",
    patch: body('@@', "-f('abd');", "+g('abd');"),
    gives: /was not found/,
  },
  { name: 'context elided', text: SMALL, patch: body('@@', ' one', ' ...', '-four', '+4'), gives: /was not found/ },
  { name: 'no change', text: SMALL, patch: body('@@', '-two', '+two'), gives: /f: no-change/ },
  { name: 'an added file that is there', files: { f: 'a\n' }, patch: '*** Add File: f\n+b\n', gives: /f: exists/ },
  {
    name: 'a move over a file',
    files: { f: 'a\n', g: 'b\n' },
    patch: '*** Update File: f\n*** Move to: g\n',
    gives: /g: exists/,
  },
  {
    name: 'a missing file',
    files: {},
    patch: '*** Delete File: f\n*** Update File: g\n@@\n-a\n+b\n',
    gives: /f: missing\ng: missing/,
  },
  {
    name: 'a file that the patch has moved',
    files: { f: 'a\n' },
    patch: '*** Update File: f\n*** Move to: g\n*** Update File: f\n@@\n-a\n+b\n',
    gives: /f: gone/,
  },
  {
    name: 'problems of all files',
    files: { f: 'a\n', g: 'b\n', h: 'c\n' },
    patch: '*** Update File: f\n@@\n-x\n+y\n@@\n-z\n+y\n*** Update File: g\n@@\n-b\n+B\n*** Add File: h\n+1\n',
    gives: /f: Hunk 1.*\nf: Hunk 2.*\nh: exists/,
  },
  { name: 'nothing', files: {}, patch: '', gives: /^syntax: Line 1 of the patch: there is no file in it/ },
  {
    name: 'nothing but the frame',
    files: {},
    patch: '*** Begin Patch\n*** End Patch',
    gives: /there is no file in it/,
  },
  {
    name: 'prose',
    files: {},
    patch: 'Please change a to b.',
    gives: /^syntax: Line 1 of the patch: a file must be named first/,
  },
  { name: 'an update without lines', text: SMALL, patch: body(), gives: /^syntax: Line 2 .*no lines to change follow/ },
  { name: 'a hunk without lines', text: SMALL, patch: body('@@ two'), gives: /Line 3 .*no lines follow this @@/ },
  {
    name: 'context alone',
    text: SMALL,
    patch: body('@@', ' one', ' two'),
    gives: /Line 3 .*this hunk changes nothing/,
  },
  {
    name: 'a header that is not known',
    text: SMALL,
    patch: body('*** Rename File: g'),
    gives: /Line 3 .*is not known/,
  },
  {
    name: 'a move in the wrong place',
    text: SMALL,
    patch: body('@@', '-two', '+2', '*** Move to: g'),
    gives: /Line 6 .*belongs right below/,
  },
  {
    name: 'a new file with a line that lacks its sign',
    files: {},
    patch: '*** Add File: n\n+a\nb\n',
    gives: /Line 3 .*must begin with "\+"/,
  },
  {
    name: 'lines behind the end',
    text: SMALL,
    patch: `${body('@@', '-two', '+2')}\n-three\n+3`,
    gives: /Line 7 .*follows \*\*\* End Patch/,
  },
  {
    name: 'names that differ',
    text: SMALL,
    patch: '--- a/f\n+++ b/g\n@@ -1 +1 @@\n-one\n+1\n',
    gives: /the names differ/,
  },
  {
    name: 'line breaks that are escaped',
    text: SMALL,
    patch: '*** Begin Patch\\n*** Update File: f\\n@@\\n-two\\n+2\\n*** End Patch',
    gives: /written as the two characters/,
  },
  {
    name: 'a path that is missing',
    text: SMALL,
    patch: '*** Begin Patch\n*** Update File:\n@@\n-a\n',
    gives: /the path is missing/,
  },
];

describe('patches as models send them', () => {
  it.each([...LANDS, ...IN_ORDER])('lands: $name', ({ text, files, patch, gives }) => {
    expect(apply(files ?? { f: text ?? '' }, patch)).toEqual(typeof gives === 'string' ? { f: gives } : gives);
  });

  it.each(REFUSED)('is refused: $name', ({ text, files, patch, gives }) => {
    const result = apply(files ?? { f: text ?? '' }, patch);
    expect(typeof result).toBe('string');
    expect(result).toMatch(gives instanceof RegExp ? gives : /never/);
  });
});
