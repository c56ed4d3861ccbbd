import { does, NOTHING_KNOWN, unclear, type PathUse, type ProgramFacts } from '../program-facts.js';
import { bareSuffixOfSed, operandsOfSed, strangeInSed } from '../sed-knowledge.js';
import { constantWord, exactText, shownText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords } from './option-words.js';
import { named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/** `sed` with a script of known commands: it reads its operands, and with `-i` writes them. */
const sed: ProgramJudge = ({ name, words }) => {
  if (words.some((word) => word.text === undefined)) return unclear(`\`${name}\` with words that are not certain`);
  const texts = words.map(shownText);
  const strange = strangeInSed(texts);
  if (strange !== undefined)
    return unclear(`\`${name} ${short(strange)}\` may run another program, write a file or change settings`);
  const { files, suffix } = operandsOfSed(texts);
  // Names that a wildcard stands for could make another script.
  const open = words.find(({ wildcardAt }, at) => wildcardAt !== undefined && !files.includes(at));
  if (open !== undefined) return unclear(`\`${name} ${short(open.source)}\` is not certain`);
  const given = files.map((at) => words[at]).filter((word): word is ShellWord => word !== undefined);
  const paths = given.map((word): PathUse => ({ kind: 'read', word }));
  if (suffix === undefined) return does({ paths });
  // BSD takes the word behind a bare `-i` for the suffix, and the one behind that for the script.
  const next = bareSuffixOfSed(texts);
  if (next !== undefined && /(?:^|\/)\.\.(?:\/|$)/.test(next))
    return unclear(`\`${name} -i\` before \`${short(next)}\``);
  const suffixes = ['', suffix, ...(next === undefined || next.includes('/') ? [] : [next])];
  for (const word of given) {
    if (word.wildcardAt !== undefined) paths.push({ kind: 'write', word });
    else for (const end of new Set(suffixes)) paths.push({ kind: 'write', word: constantWord(shownText(word) + end) });
  }
  const script = next === undefined ? undefined : shownText(given[0] ?? constantWord(''));
  return script !== undefined && mayBeScript(script)
    ? unclear(`\`${name} -i\` with words that systems read in different ways`, { paths })
    : does({ paths });
};

/** Could BSD's `sed` read this name as a script that writes or reads a file? */
function mayBeScript(name: string): boolean {
  return /[\s;{}]/.test(name) || /^[\d,$!~+]*[wr]/.test(name) || /^[/\\].*[/\\|,][IM\d,$!~+]*[wr]/.test(name);
}

const AWK_OPTIONS = optionTable(
  '-F= -v= --field-separator= --assign= --csv --posix --traditional --sandbox --re-interval -S -P -c',
);
/** Not `@`, which calls and includes, nor what shows the environment, changes the list of files, or names of functions. */
const AWK_STRANGE = /system|getline|ARG[VC]|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|[@\\]\n|@|extension/;

/** `awk` with a program that opens nothing: it reads its operands. */
const awk: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, AWK_OPTIONS, { stopsAtOperand: true });
  const [program, ...files] = read.operands;
  const text = program === undefined ? undefined : exactText(program);
  const isKnown = read.strange === undefined && text !== undefined && opensNothing(text);
  // `name=value` among the operands sets a variable; in every case it is no other file.
  if (!isKnown || files.some(({ splits }) => splits)) return unclear(`\`${name}\` can run other programs`);
  return does({ paths: files.filter(({ text: file }) => file !== '-').map((word) => ({ kind: 'read', word })) });
};

/** Whether an awk program certainly starts no command and writes no file, without telling strings and patterns apart. */
function opensNothing(program: string): boolean {
  if (AWK_STRANGE.test(program)) return false;
  if (program.match(/\|+/g)?.some((pipes) => pipes.length !== 2) === true) return false;
  for (let at = program.indexOf('>'); at !== -1; at = program.indexOf('>', at + 1)) {
    // `>` compares unless it stands in the same statement behind a `print`.
    const print = program.lastIndexOf('print', at);
    const between = program.slice(print, at);
    if (print !== -1 && (!/[;}]/.test(between) || /["/\\#]/.test(between))) return false;
  }
  return true;
}

const JQ_OPTIONS = optionTable(
  '-c -e -j -M -n -r -R -s -S -C -a --ascii-output --color-output --compact-output --exit-status --join-output --monochrome-output --null-input --raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --tab --indent= --args --jsonargs',
);
const JQ_STRANGE = /\b(?:env|import|include|input_filename|modulemeta|get_search_list)\b|\$ENV|\$__prog/;

/** `jq`: reads its operands; a filter that shows the environment or takes in other files is not known. */
const jq: ProgramJudge = ({ name, words }) => {
  const plain = withoutNamedValues(words);
  if (plain === undefined) return unclear(`\`${name}\` with words that are not certain`);
  const read = readWords(plain, JQ_OPTIONS);
  const [filter, ...files] = read.operands;
  const text = filter === undefined ? undefined : exactText(filter);
  if (read.strange !== undefined) return unclear(`\`${name} ${short(read.strange)}\``);
  // Behind these stand texts, but the first word is the filter where none came before.
  if (read.options.some((option) => /^--(?:json)?args$/.test(option))) return jqWithTexts(name, plain);
  if (text === undefined || words.some(({ splits }) => splits))
    return unclear(`\`${name}\` with a filter that is not certain`);
  if (JQ_STRANGE.test(text)) return NOTHING_KNOWN;
  return does({ paths: files.map((word): PathUse => ({ kind: 'read', word })) });
};

/** `jq … --args a b`: what stands behind is text. Known only with the filter before it, so that nothing else is one. */
function jqWithTexts(name: string, words: readonly ShellWord[]): ProgramFacts {
  const at = words.findIndex(({ text }) => text === '--args' || text === '--jsonargs');
  const front = readWords(words.slice(0, at), JQ_OPTIONS);
  const [filter, ...files] = front.operands;
  const text = filter === undefined ? undefined : exactText(filter);
  const texts = words.slice(at + 1);
  if (front.strange !== undefined || text === undefined || words.some(({ splits }) => splits))
    return unclear(`\`${name}\` with a filter that is not certain`);
  if (texts.some((word) => exactText(word) === undefined || word.start.startsWith('-')))
    return unclear(`\`${name}\` with words that are not certain`);
  if (JQ_STRANGE.test(text)) return NOTHING_KNOWN;
  return does({ paths: files.map((word): PathUse => ({ kind: 'read', word })) });
}

/** Two programs have this name; options that mean the same to both. Not `-s`, by which one of them writes files. */
const YQ_OPTIONS = optionTable(
  '-C -e -i -M -N -n -r -j -c -y -P -o= -p= -I= --exit-status --in-place --inplace --indent= --input-format= --no-colors --no-doc --null-input --output-format= --prettyPrint --raw-output --unwrapScalar',
);
const YQ_STRANGE =
  /\b(?:env|strenv|envsubst|load\w*|import|include|input_filename|modulemeta|get_search_list|eval|split_doc|filename|system|shell\w*)\b|\$ENV|\$__prog/;

/** `yq`: reads its operands, and with `-i` writes them. */
const yq: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, YQ_OPTIONS);
  const isNamed = /^(?:e|ea|eval|eval-all)$/.test(read.operands[0]?.text ?? '');
  const [filter, ...files] = isNamed ? read.operands.slice(1) : read.operands;
  const text = filter === undefined ? undefined : exactText(filter);
  if (read.strange !== undefined || text === undefined)
    return unclear(`\`${name} ${short(read.strange ?? 'with a filter that is not certain')}\``);
  if (YQ_STRANGE.test(text)) return NOTHING_KNOWN;
  // One of them takes a lone operand for the file, and prints all of it.
  const given = files.length === 0 && !read.options.includes('-n') && filter !== undefined ? [filter] : files;
  const changes = read.options.some((option) => /^(?:-i|--in-?place)$/.test(option));
  const opened = given.filter((word) => word.text !== '-');
  const paths = opened.map((word): PathUse => ({ kind: 'read', word }));
  if (changes) paths.push(...opened.map((word): PathUse => ({ kind: 'write', word })));
  return does({ paths });
};

/** `--arg name value` takes two words. */
function withoutNamedValues(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const plain: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.text === '--') return undefined;
    if (!/^--arg(?:json)?$/.test(word.text ?? '')) plain.push(word);
    else {
      const given = words.slice(at + 1, at + 3);
      if (given.length < 2 || given.some(({ splits, wildcardAt }) => splits || wildcardAt !== undefined))
        return undefined;
      at += 2;
    }
  }
  return plain;
}

export const SCRIPTED: readonly NamedJudge[] = [
  ...named('sed gsed', sed),
  ...named('awk gawk mawk nawk', awk),
  ...named('jq', jq),
  ...named('yq', yq),
];
