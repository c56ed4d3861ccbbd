import { does, unclear, type ProgramFacts } from '../program-facts.js';
import { reasonOfVariable } from '../walk/variables.js';
import { constantWord, exactText, openWord, shownText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords } from './option-words.js';
import { atLeast, named, type NamedJudge, type ProgramJudge } from './program-row.js';

/** Programs that start another one and do nothing else that matters. */
interface Wrapper {
  readonly names: string;
  readonly reason: string;
  /** Options that stand before the command, as `optionTable` reads them. */
  readonly options: string;
  /** Operands of its own that come before the command. */
  readonly operands: number;
  /** Why it is never known what comes of it, although the command is judged too. */
  readonly doubt?: string;
}

export const WRAPPER_TABLE: readonly Wrapper[] = [
  {
    names: 'timeout gtimeout',
    reason: 'ends the command after a time',
    options: '-k= -s= -v --foreground --preserve-status --kill-after= --signal= --verbose',
    operands: 1,
  },
  { names: 'nice', reason: 'runs the command with another priority', options: '-# -n= --adjustment=', operands: 0 },
  { names: 'ionice', reason: 'runs the command with another priority for disks', options: '-c= -n= -t', operands: 0 },
  {
    names: 'nohup',
    reason: 'lets the command outlive its terminal; it writes `nohup.out` only where there is a terminal',
    options: '',
    operands: 0,
  },
  {
    names: 'stdbuf',
    reason: 'sets how the command buffers',
    options: '-i= -o= -e= --input= --output= --error=',
    operands: 0,
  },
  {
    names: 'setsid',
    reason: 'runs the command in a session of its own',
    options: '-c -f -w --ctty --fork --wait',
    operands: 0,
  },
  {
    names: 'time',
    reason: 'measures the command; `-o` writes what it found',
    options: '-a -l -p -v -f= -o=write --append --format= --output=write --portability --verbose',
    operands: 0,
  },
  {
    names: 'taskset',
    reason: 'runs the command on some processors; not `-p`, which changes a process that runs',
    options: '-c --cpu-list',
    operands: 1,
  },
  {
    names: 'caffeinate',
    reason: 'keeps the machine awake while the command runs',
    options: '-d -i -m -s -u -t=',
    operands: 0,
  },
  {
    names: 'sudo doas',
    reason: 'runs the command as somebody else',
    options: '-A -b -E -H -n -S -u= -g= --non-interactive --preserve-env --set-home --stdin --user= --group=',
    operands: 0,
    doubt: 'a command run as another user',
  },
  {
    names: 'unbuffer',
    reason: 'runs the command at a terminal of its own',
    options: '-p',
    operands: 0,
    doubt: 'a command at a terminal of its own',
  },
  {
    names: 'strace ltrace valgrind',
    reason: 'watches the command; other options start programs, write files or take other processes',
    options: '-f -c',
    operands: 0,
    doubt: 'a command that is watched',
  },
];

function judgeWrapper({ options, operands, doubt }: Wrapper): ProgramJudge {
  const table = optionTable(options);
  return ({ name, words, input }) => {
    const read = readWords(words, table, { stopsAtOperand: true });
    const own = words.slice(read.operandsAt, read.operandsAt + operands);
    if (read.strange !== undefined || own.some(isSeveral))
      return unclear(`\`${name}\` before a command that is not certain`);
    const paths = read.values.flatMap(({ role, word }) => (role === 'write' ? [{ kind: 'write' as const, word }] : []));
    const command = words.slice(read.operandsAt + operands);
    const starts = command.length === 0 ? [] : [{ words: command, input }];
    return doubt === undefined ? does({ paths, starts }) : unclear(doubt, { paths, starts });
  };
}

/** Another number of words than one: what stands behind it is then somewhere else. */
function isSeveral({ splits, wildcardAt }: ShellWord): boolean {
  return splits || wildcardAt !== undefined;
}

const ENV_OPTIONS = optionTable('-0 -i -u= -C= -v --chdir= --debug --ignore-environment --null --unset=');
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** `env`: sets variables for the command. Without one it shows all that there are, which may be secrets. */
const env: ProgramJudge = ({ name, words, input }) => {
  const dash = words[0]?.text === '-' ? words.slice(1) : words;
  const read = readWords(dash, ENV_OPTIONS, { stopsAtOperand: true });
  if (read.strange !== undefined) return unclear(`\`${name}\` before a command that is not certain`);
  let at = read.operandsAt;
  const reasons: string[] = [];
  for (let word = dash[at]; word !== undefined; word = dash[(at += 1)]) {
    const variable = ASSIGNMENT.exec(word.start)?.[1];
    if (variable === undefined && !word.start.includes('=')) break;
    reasons.push(...reasonsOf(variable, 'program'));
    if (isSeveral(word)) reasons.push('a variable that is not certain');
  }
  for (const { option, word } of read.values)
    if (option === '-u' || option === '--unset') reasons.push(...reasonsOf(exactText(word), 'shell'));
  const folder = read.values.filter(({ option }) => option === '-C' || option === '--chdir').at(-1)?.word;
  const command = dash.slice(at);
  if (command.length === 0)
    return reasons.length > 0 ? { ...unclear(reasons[0] ?? ''), unknown: reasons } : atLeast({});
  const starts = [{ words: command, input, ...(folder !== undefined && { folder }) }];
  const [reason, ...more] = reasons;
  return reason === undefined ? does({ starts }) : unclear(reason, { starts, unknown: more });
};

function reasonsOf(variable: string | undefined, where: 'shell' | 'program'): string[] {
  const reason = variable === undefined ? 'a variable whose name is not certain' : reasonOfVariable(variable, where);
  return reason === undefined ? [] : [reason];
}

const XARGS_OPTIONS = optionTable(
  '-0 -a=read -d= -E= -I= -L= -n= -P= -r -s= -t -x --arg-file=read --delimiter= --exit --max-args= --max-chars= --max-lines= --max-procs= --no-run-if-empty --null --verbose',
);

/** `xargs`: the command gets words of which nothing is known. */
const xargs: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, XARGS_OPTIONS, { stopsAtOperand: true });
  if (read.strange !== undefined) return unclear(`\`${name}\` before a command that is not certain`);
  const mark = read.values.find(({ option }) => option === '-I')?.word;
  const marked = mark === undefined ? undefined : exactText(mark);
  if (mark !== undefined && (marked === undefined || marked === '')) return unclear(`\`${name} -I\` with an open word`);
  const given = words.slice(read.operandsAt);
  const command = given.length > 0 ? given : [constantWord('echo')];
  const some = openWord('{}', { splits: true });
  const filled = marked === undefined ? [...command, some] : command.map((word) => replaced(word, marked));
  const paths = read.values.flatMap(({ role, word }) => (role === 'read' ? [{ kind: 'read' as const, word }] : []));
  return does({ paths, starts: [{ words: filled, input: 'open' }] });
};

function replaced(word: ShellWord, mark: string): ShellWord {
  const at = shownText(word).indexOf(mark);
  if (at === -1 && word.text !== undefined) return word;
  return openWord(word.source, { start: at === -1 ? '' : (word.text ?? '').slice(0, at), splits: word.splits });
}

/** `flock file command`, `flock file -c text`. */
const flock: ProgramJudge = ({ name, words, input }) => {
  const read = readWords(
    words,
    optionTable('-e -n -o -s -u -x -F -w= -E= --exclusive --nonblock --shared --timeout= --wait='),
    {
      stopsAtOperand: true,
    },
  );
  const [file, ...command] = words.slice(read.operandsAt);
  if (read.strange !== undefined || file === undefined || isSeveral(file))
    return unclear(`\`${name}\` before a command that is not certain`);
  const paths = [{ kind: 'write' as const, word: file }];
  const [first, text, ...more] = command.map(exactText);
  if (first !== '-c' && first !== '--command') return does({ paths, starts: [{ words: command, input }] });
  return text !== undefined && more.length === 0
    ? does({ paths, starts: [{ script: text }] })
    : unclear(`\`${name}\` before a command that is not certain`);
};

/** `watch`: a shell reads its words again and again. */
const watch: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, optionTable('-d -e -g -t -x -c -b -p -n= --interval='), { stopsAtOperand: true });
  const texts = words.slice(read.operandsAt).map(exactText);
  if (read.strange !== undefined || texts.includes(undefined))
    return unclear(`\`${name}\` before a command that is not certain`);
  return does({ starts: [{ script: texts.join(' ') }] });
};

/** `busybox ls`: the first word is the program. */
const busybox: ProgramJudge = ({ name, words, input }) => {
  const [first] = words;
  if (first === undefined) return does();
  const isPlain = /^(?:[a-z0-9_]+|\[)$/.test(exactText(first) ?? '');
  return isPlain ? does({ starts: [{ words, input }] }) : unclear(`\`${name}\` can run other programs`);
};

/** Flags that change how a text runs, not what of it: the last letter is `c`. `l` reads the person's own files before. */
const SHELL_FLAGS = /^-[eluxf]*c$/;
const OTHER_FLAGS = /^(?:-[eluxf]+|--login|--norc|--noprofile|--posix)$/;
const SET_OPTIONS = /^(?:pipefail|errexit|nounset|xtrace|noglob)$/;

/** Where the flags end that change only how a text runs. */
function endOfFlags(texts: readonly (string | undefined)[]): number {
  let at = 0;
  for (;;) {
    if (/^[-+]o$/.test(texts[at] ?? '') && SET_OPTIONS.test(texts[at + 1] ?? '')) at += 2;
    else if (OTHER_FLAGS.test(texts[at] ?? '')) at += 1;
    else return at;
  }
}

/** A shell with a text: what it reads is judged like the line itself. */
function judgeShell(doubt?: string): ProgramJudge {
  return ({ name, words, input }): ProgramFacts => {
    const texts = words.map(exactText);
    if (texts.length === 1 && texts[0] === '--version') return does();
    const at = endOfFlags(texts);
    const text = texts[at + 1];
    const flags = texts.slice(0, at + 1);
    const isLogin = flags.some((flag) => /^-[a-z]*l/.test(flag ?? '') || flag === '--login');
    const reason = doubt ?? (isLogin ? 'a shell that reads start-up files before' : undefined);
    const starts = (script: string): ProgramFacts =>
      reason === undefined ? does({ starts: [{ script }] }) : unclear(reason, { starts: [{ script }] });
    if (SHELL_FLAGS.test(texts[at] ?? '') && text !== undefined && !/^[-+]/.test(text)) return starts(text);
    if (words.length === 0 && typeof input === 'object') return starts(input.text);
    return unclear(`\`${name}\` can run other programs`);
  };
}

export const WRAPPERS: readonly NamedJudge[] = [
  ...WRAPPER_TABLE.flatMap((wrapper) => named(wrapper.names, judgeWrapper(wrapper))),
  ...named('env', env),
  ...named('xargs gxargs', xargs),
  ...named('flock', flock),
  ...named('watch', watch),
  ...named('busybox toybox', busybox),
  ...named('bash sh dash', judgeShell()),
  ...named('zsh ksh mksh ash', judgeShell('a shell that reads some things in another way')),
];
