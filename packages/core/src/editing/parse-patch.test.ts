import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.js';
import { isContext, type FilePatch, type Hunk, type Patch, type PatchLine } from './patch.js';
import { printPatch } from './print-patch.js';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '+', '-', '@', '*', ' ', '\t', '\\', '`', '"', '😀', '\r ') });
const name = fc.stringMatching(/^[a-z][a-z0-9_./ -]{0,10}[a-z]$/);
const line: fc.Arbitrary<PatchLine> = fc.record(
  {
    kind: fc.constantFrom('same' as const, 'removed' as const, 'added' as const),
    text,
    open: fc.constant(true as const),
  },
  { requiredKeys: ['kind', 'text'] },
);
const anchor = fc.stringMatching(/^[a-z(][a-z ():{]{0,10}[a-z{]$/).filter((one) => !/^lines? ?\d/.test(one));
const hunk: fc.Arbitrary<Hunk> = fc.record(
  {
    anchors: fc.array(anchor, { maxLength: 2 }),
    hint: fc.nat(500),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    endOfFile: fc.boolean(),
    at: fc.constant(0),
  },
  { requiredKeys: ['anchors', 'lines', 'endOfFile', 'at'] },
);
const update: fc.Arbitrary<FilePatch> = fc
  .record(
    {
      kind: fc.constant('update' as const),
      path: name,
      movedTo: name,
      hunks: fc.array(hunk, { maxLength: 3 }),
      at: fc.constant(0),
    },
    { requiredKeys: ['kind', 'path', 'hunks', 'at'] },
  )
  .filter(({ hunks, movedTo }) => hunks.some((one) => !isContext(one)) || movedTo !== undefined);
const content = fc.tuple(fc.array(text), fc.boolean()).map(([all, open]) => all.join('\n') + (open ? '' : '\n'));
const file: fc.Arbitrary<FilePatch> = fc.oneof(
  update,
  fc.record({ kind: fc.constant('delete' as const), path: name, at: fc.constant(0) }),
  fc.record({ kind: fc.constant('add' as const), path: name, content, at: fc.constant(0) }),
);
const patches: fc.Arbitrary<Patch> = fc.array(file, { minLength: 1, maxLength: 4 });

function withoutLines(patch: Patch): Patch {
  return patch.map((one) =>
    one.kind === 'update' ? { ...one, at: 0, hunks: one.hunks.map((each) => ({ ...each, at: 0 })) } : { ...one, at: 0 },
  );
}

function parsed(source: string): Patch {
  const result = parsePatch(source);
  if (!result.ok) throw new Error(result.fault.message);
  return result.patch;
}

function eachLine(source: string, change: (line: string) => string): string {
  return source.split('\n').map(change).join('\n');
}

describe('parsePatch', () => {
  it('is the way back from printPatch (property)', () => {
    fc.assert(
      fc.property(patches, (patch) => {
        expect(withoutLines(parsed(printPatch(patch)))).toEqual(patch);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the same patch in whatever a model wraps it (property)', () => {
    const wraps: readonly ((patch: string) => string)[] = [
      (patch) => `\n\n  \n${patch}\n\n`,
      (patch) => `\`\`\`\n${patch}\`\`\`\n`,
      (patch) => `Here is the patch:\n\n\`\`\`diff\n${patch}\`\`\``,
      (patch) => `apply_patch <<'EOF'\n${patch}EOF\n`,
      (patch) => `cat <<EOF | apply_patch\n${patch}EOF`,
      (patch) => `\`\`\`bash\n$ apply_patch <<"PATCH"\n${patch}PATCH\n\`\`\`\n`,
      (patch) => `bash -lc "apply_patch <<'EOF'\n${patch}EOF\n"\n`,
      (patch) => `apply_patch "${patch.trimEnd()}"`,
      (patch) => patch.replaceAll('\n', '\r\n'),
      (patch) => `\ufeff${patch}`,
      (patch) => patch.replace(/^.*\n/, ''),
      (patch) => patch.replace(/\*\*\* End Patch\n$/, ''),
      (patch) => eachLine(patch, (one) => (one === ' ' ? '' : one)),
      (patch) => eachLine(patch, (one) => (one === '' ? '' : `    ${one}`)),
    ];
    fc.assert(
      fc.property(patches, fc.constantFrom(...wraps), (patch, wrap) => {
        // An empty context line at the end of a hunk cannot be told from space between hunks once its blank is lost.
        fc.pre(!/^ $/m.test(printPatch(patch)) || wrap !== wraps[12]);
        expect(withoutLines(parsed(wrap(printPatch(patch))))).toEqual(patch);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the lines of the patch as they were sent', () => {
    const [one, two] = parsed(
      '```\n*** Begin Patch\n*** Delete File: a\n*** Update File: b\n@@ x\n-y\n*** End Patch\n```',
    );
    expect([one?.at, two?.at, two?.kind === 'update' ? two.hunks[0]?.at : 0]).toEqual([3, 4, 5]);
  });
});
