/** Command texts of one shape that are built to take long: deep, long, or doing the same again and again. */
export interface HostileCommand {
  readonly shape: string;
  readonly text: string;
}

/** No opening sign stands in a text more often than parsers take. */
const MOST_OPENERS = 398;

/** Makes texts of up to `room` characters. */
interface TextMaker {
  readonly room: number;
  readonly half: number;
  readonly again: (unit: string, characters?: number) => string;
  readonly deep: (open: string, inner: string, close: string, times?: number) => string;
  readonly each: (make: (index: number) => string, limits?: { most?: number; characters?: number }) => string;
}

function makerOf(room: number): TextMaker {
  return {
    room,
    half: room / 2,
    again: (unit, characters = room) => unit.repeat(Math.max(0, Math.floor(characters / unit.length))),
    deep: (open, inner, close, times = MOST_OPENERS) => {
      const fits = Math.min(times, Math.floor(room / (open.length + close.length)));
      return open.repeat(fits) + inner + close.repeat(fits);
    },
    each: (make, { most = Infinity, characters = room } = {}) => {
      const parts: string[] = [];
      let left = characters;
      for (let index = 0; index < most; index += 1) {
        const part = make(index);
        left -= part.length;
        if (left < 0) break;
        parts.push(part);
      }
      return parts.join('');
    },
  };
}

/** One text of each shape, each as long as it may be, up to `length` characters. */
export function hostileCommands(length: number): readonly HostileCommand[] {
  const maker = makerOf(Math.max(0, length - 1_000));
  const texts = { ...longTexts(maker), ...deepTexts(maker) };
  return Object.entries(texts).map(([shape, text]) => ({ shape, text: text.slice(0, length) }));
}

function longTexts({ room, half, again, deep, each }: TextMaker): Readonly<Record<string, string>> {
  const big = `x='${again('y ', room / 4)}';`;
  const script = `x='${again('ls a;', half)}';`;
  return {
    'a long pipe': `a${again('|a')}`,
    'many commands': again('a;'),
    'a long chain of && and ||': `a${again('&&a||a')}`,
    'many in the background': again('a&'),
    'nothing but blanks': `${' '.repeat(room)}ls`,
    'lines that go on': `ls ${again('a\\\n')}`,
    'one long word': `ls ${'x'.repeat(room)}`,
    'many words': again('a '),
    'many quotes': `ls ${again(`'a'"b"`)}`,
    'many assignments': each((index) => `v${index}=${index};`),
    'many variables for one command': `${each((index) => `v${index}=x `)}ls`,
    'the same in a loop': `while a;do ${each((index) => `v${index}=x `)}ls;done`,
    'variables that grow': `a0=x;${each((index) => `a${index + 1}=$a${index}$a${index};`)}`,
    'variables with many possible values': `${each((index) => `a&&v${index % 190}=${index % 17};`, { characters: half })}${again('ls $v1 $v2;', half)}`,
    'a long variable, often': `${big}${again('ls "$x";', half)}`,
    'a long variable in parts, often': `${big}${again('ls $x;', half)}`,
    'many arguments, often': `set -- ${again('a ', half)};${again('ls "$@";', half)}`,
    'a text for eval, often': `${script}${again('eval "$x";', half)}`,
    'a text for bash, often': `${script}${again('bash -c "$x";', half)}`,
    'many wildcards': `ls ${again('* ')}`,
    'one long wildcard': `ls ${again('*a')}`,
    'wildcards in many folders': each(() => 'ls */*/*;'),
    'many braces': `ls ${again('{a,b} ', Math.min(room, MOST_OPENERS * 6))}`,
    'braces beside braces': `ls ${again('{a,b}', Math.min(room, MOST_OPENERS * 5))}`,
    'braces within braces': deep('{a,', 'b', '}'),
    'one long list in braces': `ls {${again('a,')}a}`,
    'many branches': each((index) => `if a;then x=${index};else y=${index};fi;`),
    'branches within branches': deep('if a;then ', 'b', ';fi', 5_000),
    'one long case': `case x in a${again('|a')})b;;esac`,
    'cases within cases': deep('case a in b) ', 'ls', ';;esac'),
    'many loops': each(() => 'for i in a b c;do ls $i;done;'),
    'loops within loops': deep('for i in a b;do ', 'ls $i', ';done', 500),
  };
}

function deepTexts({ room, half, again, deep, each }: TextMaker): Readonly<Record<string, string>> {
  return {
    'a loop over many words': `for i in ${again('a ')};do ls $i;done`,
    'much in four loops': `for a in 1 2;do for b in 1 2;do for c in 1 2;do for d in 1 2;do ${each((index) => `v${index % 9}=$v${(index + 1) % 9};ls $a $v${index % 9};`)}done;done;done;done`,
    'many here-documents': each((index) => `cat <<E${index}\nx\nE${index}\n`),
    'here-documents without an end': `cat ${again('<<E ')}`,
    'a long here-document': `cat <<E\n${again('$a ')}\nE\n`,
    'a here-document for bash': `bash <<E\n${again('ls a\n')}E\n`,
    'many substitutions': `ls ${again('$(a)', Math.min(room, MOST_OPENERS * 4))}`,
    'substitutions within substitutions': `ls ${deep('$(', 'a', ')')}`,
    'quoted substitutions within each other': `ls ${deep('"$(', 'a', ')"')}`,
    'expansions within expansions': `ls ${deep('${a:-', 'b', '}')}`,
    'brackets within brackets': deep('(', 'a', ')'),
    'functions that call each other': `${each((index) => `f${index}(){ f${(index + 1) % 190};f${(index + 2) % 190};};`, { most: 190, characters: half })}${each((index) => `f${index % 190};`, { characters: half })}`,
    'functions that call many': `f0(){ v=$v$1;};${each((index) => `f${index + 1}(){ ${again(`f${index} $v;`, room / 9)}};`, { most: 7 })}f7 a`,
    'one name for many functions': `${each((index) => `f(){ a${index};};`, { most: 190, characters: half })}${again('f;', half)}`,
    'many folders': each((index) => `a&&cd a${index % 10};`),
    'many redirections': `ls ${again('>a ')}`,
    'a long sum': `ls $((${again('1+')}1))`,
    'sums within sums': `ls $((${deep('(', '1', ')', MOST_OPENERS - 4)}))`,
    'a long test': `[[ a ${again('&& a ')}]]`,
    'a long array': `a=(${again('b ')})`,
    'wrappers around wrappers': `${again('env ')}ls`,
    'many commands of find': `find ${again('a ', half)}${again('-exec ls {} \\; ', half)}`,
    'a long script of sed': `sed 's/${'\\'.repeat(room)}/b/' f`,
    'a long program of awk': `awk '${again('print', half)};${again('>', half)}'`,
    'many paths': each((index) => `mkdir d${index};`),
    'many links': each((index) => (index % 2 === 0 ? `mv a${index} b${index};` : `cat b${index - 1}/x;`)),
    'many files to be moved': `mv ${each((index) => `f${index} `)}d`,
    'many traps': each((index) => `trap 'ls ${index}' EXIT;`),
    'quotes without an end': `ls "${again('$a')}`,
    'control characters': `ls ${again('\u001b')}`,
  };
}
