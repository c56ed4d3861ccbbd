import { does, unclear, type PathUse } from '../program-facts.js';
import { constantWord, exactText, type ShellWord } from '../words/shell-word.js';
import { optionTable, readWords, type OptionValue } from './option-words.js';
import { atLeast, named, short, type NamedJudge, type ProgramJudge } from './program-row.js';

/**
 * Not `-K`, `-x`, `--resolve`, `--connect-to`, `--next`, `-J`, `--proto`, `-n` and all else that brings settings, other hosts,
 * or names of files that the line does not hold.
 */
const CURL_OPTIONS = optionTable(
  '-# -4 -6 -f -g -G -i -I -k -L -N -O -s -S -v -A= -b= -c=write -d= -D=write -e= -F= -H= -m= -o=write -T=read -u= -w= -X= --cacert=read --compressed --connect-timeout= --cookie= --cookie-jar=write --create-dirs --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --dump-header=write --fail --fail-with-body --form= --form-string= --get --globoff --head --header= --http1.1 --http2 --include --insecure --ipv4 --ipv6 --json= --location --max-redirs= --max-time= --no-buffer --no-progress-meter --oauth2-bearer= --output=write --referer= --remote-name --request= --retry= --retry-delay= --show-error --silent --upload-file=read --url=address --user= --user-agent= --verbose --write-out=',
);
/** Options whose value, when it begins with `@`, is the name of a file. */
const MAY_NAME_FILE: ReadonlySet<string> = new Set(
  '-d --data --data-ascii --data-binary --json -H --header -w --write-out'.split(' '),
);

/** That choice is another host's, and may be one of this network. */
const SENT_ON = 'a host that another one leads to';

/** `curl`: talks to the hosts of its addresses, and opens the files that options name. */
const curl: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, CURL_OPTIONS);
  if (read.strange !== undefined) return unclear(`\`${name} ${short(read.strange)}\``);
  const addresses = [...read.operands, ...read.values.filter(({ role }) => role === 'address').map(({ word }) => word)];
  const isGlobbing = !read.options.includes('-g') && !read.options.includes('--globoff');
  const strange = addresses.find((word) => !isPlainAddress(word, isGlobbing));
  if (strange !== undefined) return unclear(`an address that is not certain (\`${short(strange.source)}\`)`);
  const paths: PathUse[] = [];
  for (const value of read.values) {
    const files = pathsOfValue(value);
    if (files === undefined) return unclear(`\`${name} ${value.option} ${short(value.word.source)}\``, { addresses });
    paths.push(...files);
  }
  if (read.options.includes('-O') || read.options.includes('--remote-name')) {
    const names = addresses.map((word) => /\/([^/?#]+)(?:[?#].*)?$/.exec(pathOfAddress(word))?.[1]);
    if (names.includes(undefined)) return unclear(`\`${name} -O\` without a name`, { addresses });
    paths.push(...names.map((file): PathUse => ({ kind: 'write', word: constantWord(file ?? '') })));
  }
  const isSentOn = read.options.includes('-L') || read.options.includes('--location');
  return isSentOn ? unclear(SENT_ON, { paths, addresses }) : does({ paths, addresses });
};

/** HTTP, a host without a user, nothing that stands for several addresses or is read in different ways. */
function isPlainAddress(word: ShellWord, isGlobbing: boolean): boolean {
  const text = exactText(word);
  if (text === undefined || !/^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:[/?#][!-[\]-~]*)?$/i.test(text)) return false;
  return !isGlobbing || !/[{}[\]]/.test(text);
}

function pathOfAddress(word: ShellWord): string {
  return (word.text ?? '').replace(/^https?:\/\//i, '').replace(/^[^/?#]+/, '');
}

function pathsOfValue({ option, role, word }: OptionValue): PathUse[] | undefined {
  if (word.wildcardAt !== undefined) return undefined;
  if (role === 'read' || role === 'write') {
    if (word.text === '-' || (option === '-T' && word.text === '.')) return [];
    // `-T` takes several names in braces.
    return /[{}[\]]/.test(word.text ?? '') ? undefined : [{ kind: role, word }];
  }
  const { start, text } = word;
  if (MAY_NAME_FILE.has(option)) {
    if (/^(?:-w|--write-out)$/.test(option) && (text === undefined || text.includes('%output'))) return undefined;
    if (start.startsWith('@')) return fileOf(text?.slice(1));
    return start === '' && text === undefined ? undefined : [];
  }
  if (option === '-b' || option === '--cookie') return start.includes('=') ? [] : fileOf(text);
  if (option === '--data-urlencode') {
    if (/^[^@]*=/.test(start)) return [];
    return text === undefined || text.includes('@') ? undefined : [];
  }
  if (option === '-F' || option === '--form') return pathsOfForm(word);
  return [];
}

function pathsOfForm({ start, text }: ShellWord): PathUse[] | undefined {
  const [, sign, path] = /^[^=]+=([@<]?)([^]*)$/.exec(start) ?? [];
  if (path === undefined || (text === undefined && path === '')) return undefined;
  if (sign === '') return [];
  return text !== undefined && /^[\w./~+-]+$/.test(path) ? fileOf(path) : undefined;
}

function fileOf(path: string | undefined): PathUse[] | undefined {
  if (path === undefined || path === '') return undefined;
  return path === '-' ? [] : [{ kind: 'read', word: constantWord(path) }];
}

const WGET_OPTIONS = optionTable(
  '-# -c -nv -q -S -v -O=write -P=write -T= -t= -U= --continue --directory-prefix=write --header= --max-redirect= --no-check-certificate --no-verbose --output-document=write --quiet --server-response --spider --timeout= --tries= --user-agent=',
);

/** `wget`: goes where it is sent on to unless it is told otherwise; the person's settings may add more. */
const wget: ProgramJudge = ({ name, words }) => {
  const read = readWords(words, WGET_OPTIONS);
  if (read.strange !== undefined) return unclear(`\`${name} ${short(read.strange)}\``);
  if (read.operands.some((word) => !isPlainAddress(word, false))) return unclear('an address that is not certain');
  const isNamed = read.values.some(({ option }) => /^(?:-O|--output-document)$/.test(option));
  const targets = read.values.filter(({ role }) => role === 'write').map(({ word }) => word);
  if (!isNamed) targets.push(constantWord('.'));
  const paths = targets
    .filter(({ text }) => text !== '-')
    .map((word): PathUse => ({ kind: 'write', word, tree: !isNamed }));
  const redirects = read.values.filter(({ option }) => option === '--max-redirect');
  const staysThere = redirects.length > 0 && redirects.every(({ word }) => exactText(word) === '0');
  const facts = { addresses: read.operands, paths };
  return staysThere ? atLeast(facts) : unclear(SENT_ON, facts);
};

export const NETWORK: readonly NamedJudge[] = [...named('curl', curl), ...named('wget', wget)];
