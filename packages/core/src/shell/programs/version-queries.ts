import { does, NOTHING_KNOWN, unclear } from '../program-facts.js';
import { exactText, mayBeOption } from '../words/shell-word.js';
import { named, type NamedJudge, type ProgramJudge } from './program-row.js';

/**
 * Programs that only print when they are asked for their version, each with the words for it. Not those that look into the
 * project before, as it may name another program to run: `yarn`, `pnpm`, `cargo`, `rustc`, `go`, `dotnet`, `mvn`, `gradle`, `npx`.
 */
const TABLE: readonly (readonly [names: string, query: RegExp])[] = [
  ['node nodejs deno bun', /^(?:-v|--version)$/],
  ['npm', /^(?:-v|--version)$/],
  ['python python2 python3 pypy pypy3', /^(?:-V|-VV|--version)$/],
  ['pip pip3', /^(?:-V|--version)$/],
  ['ruby perl lua', /^(?:-v|--version)$/],
  ['java javac', /^--?version$/],
  ['gcc g++ cc c++ clang clang++ ld as make gmake cmake ninja', /^--version$/],
  ['tenon', /^--version$/],
  ['openssl', /^version(?: -[abdfopvr])?$/],
  ['sqlite3', /^--?version$/],
  ['fish', /^--version$/],
];

function judgeQuery(query: RegExp): ProgramJudge {
  return ({ words: [first, ...more] }) =>
    first !== undefined && more.length === 0 && query.test(exactText(first) ?? '') ? does() : NOTHING_KNOWN;
}

/** `node --check file` reads the file and runs nothing of it. */
const node: ProgramJudge = (call, surroundings) => {
  const [first, file, ...more] = call.words;
  const isCheck = first !== undefined && /^(?:-c|--check)$/.test(exactText(first) ?? '');
  if (!isCheck || file === undefined || more.length > 0) return judgeQuery(/^(?:-v|--version)$/)(call, surroundings);
  if (mayBeOption(file)) return unclear(`\`${call.name}\` can run code from its arguments or its input`);
  return does({ paths: [{ kind: 'read', word: file }] });
};

export const VERSION_QUERIES: readonly NamedJudge[] = [
  ...TABLE.flatMap(([names, query]) => named(names, judgeQuery(query))),
  ...named('node nodejs', node),
];
