// What stands in the files of the corpus.
import { createRandom, logNormal, pick } from './random.mjs';

/** What is searched for. Nothing else in the corpus holds these, in any case. */
export const Needles = {
  /** In one file, once. */
  rare: 'zanzibarQuokka',
  /** On as many lines as the corpus has files, in a quarter of them. */
  common: 'registerWidget',
  regex: 'function\\s+\\w+Handler\\(',
  none: 'unfindableNeedle',
  /** In files of every encoding: bare ripgrep sees it in UTF-8 and in UTF-16 only. */
  foreign: 'größenwahl',
};

const NOUNS = 'user order cart price stock invoice account session token cache queue worker batch event signal frame pixel vector matrix buffer stream packet socket route query record index field column schema model view layout button label dialog panel theme locale date range filter metric report chart alert job task stage branch commit file folder path entry node edge graph tree leaf list item'.split(' '); // prettier-ignore
const VERBS = 'load save read write fetch parse format render update create remove merge split check verify count measure open close start stop send receive encode decode compute resolve apply collect'.split(' '); // prettier-ignore
const capital = (word) => word[0].toUpperCase() + word.slice(1);

const LINES = {
  code: [
    (verb, noun, other) => `  const ${noun}${capital(other)} = await ${verb}${capital(noun)}(${other}, options);`,
    (verb, noun, other) => `  if (${noun}.${other} === undefined) return ${verb}${capital(other)}(${noun});`,
    (verb, noun, other) => `export function ${verb}${capital(noun)}${capital(other)}(${noun}, ${other}) {`,
    (verb, noun, other) => `import { ${verb}${capital(noun)} } from '../${other}/${noun}.js';`,
    (verb, noun, other) => `    this.#${noun} = ${other}.map((${noun}) => ${noun}.${verb}());`,
    (verb, noun, other) => `// ${capital(verb)}s the ${noun} before the ${other} is asked for again.`,
    (verb, noun, other) => `  throw new Error(\`Cannot ${verb} the ${noun} of \${${other}.name}\`);`,
    () => '}',
    () => '',
  ],
  prose: [
    (verb, noun, other) => `The ${noun} can ${verb} every ${other}, and a ${noun} without a ${other} is left as it is.`,
    (verb, noun) => `## How to ${verb} a ${noun}`,
    (verb, noun, other) => `- \`${verb}-${noun}\`: ${verb}s the ${noun} (see ${other}.md)`,
    () => '',
  ],
  data: [
    (verb, noun, other) => `  "${noun}.${other}": "${verb} ${noun}",`,
    (verb, noun, other) => `  ${noun}_${other}: ${verb}`,
  ],
};

/** Lines to choose from; one in 150 of code is a handler, for the regular expression. */
function linesOf(random, shapes, amount) {
  const lines = [];
  for (let line = 0; line < amount; line += 1) {
    const words = [pick(random, VERBS), pick(random, NOUNS), pick(random, NOUNS)];
    const isHandler = shapes === LINES.code && line % 150 === 0;
    lines.push(
      isHandler
        ? `export async function  ${words[0]}${capital(words[1])}Handler(${words[2]}) {`
        : pick(random, shapes)(...words),
    );
  }
  return lines;
}

const KIND_OF = { md: 'prose', txt: 'prose', json: 'data', yml: 'data', snap: 'data', css: 'data' };

/** Writes texts of one corpus; the same calls in the same order give the same texts. */
export function createTexts(seed) {
  const random = createRandom(seed);
  const pools = Object.fromEntries(
    Object.entries(LINES).map(([kind, shapes]) => [kind, linesOf(random, shapes, 3000)]),
  );

  /** Some 0.2 to 60 KB; `extra` are lines put anywhere into it. */
  function textOf(path, extra) {
    const pool = pools[KIND_OF[path.slice(path.lastIndexOf('.') + 1)] ?? 'code'];
    const size = Math.min(60_000, Math.max(200, logNormal(random, 2400, 0.9)));
    const lines = [];
    for (let length = 0; length < size; length += lines.at(-1).length + 1) lines.push(pick(random, pool));
    for (const line of extra) lines[Math.floor(random() * lines.length)] += ` ${line}`;
    return lines;
  }

  /** `lines` may be shorter than the needles: two on one line would be one match, so each gets a line of its own. */
  function withOwnLines(lines, own) {
    for (const line of own) lines.splice(Math.floor(random() * (lines.length + 1)), 0, line);
    return lines;
  }

  return {
    /** The bytes of a file of that kind, with these lines among its own. */
    bytesOf({ path, kind }, own) {
      if (kind === 'binary') return binaryOf(random, own);
      if (kind === 'minified') return Buffer.from(minifiedOf(random, pools.code, own));
      const lines = withOwnLines(textOf(path, kind === 'latin1' ? ['Straße'] : []), own);
      const text = `${lines.join(kind === 'crlf' ? '\r\n' : '\n')}\n`;
      if (kind === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
      if (kind === 'utf16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
      return Buffer.from(text, kind === 'latin1' ? 'latin1' : 'utf8');
    },
  };
}

/** Like an image: a signature, NUL bytes, noise; the needles in its middle are not to be found. */
function binaryOf(random, own) {
  const bytes = Buffer.alloc(1000 + Math.floor(random() * 19_000));
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(random() * 256);
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').copy(bytes);
  Buffer.from(`\n${own.join('\n')}\n`).copy(bytes, 500);
  return bytes;
}

/** 200 KB on one line, which holds all needles, and a short line after it. */
function minifiedOf(random, pool, own) {
  const parts = [];
  for (let length = 0; length < 200_000; length += parts.at(-1).length) parts.push(pick(random, pool).trim());
  parts.splice(Math.floor(parts.length / 2), 0, ...own);
  return `${parts.join(';').replaceAll('Handler(', 'Handle(')}\n//# sourceMappingURL=bundle.min.js.map\n`;
}
