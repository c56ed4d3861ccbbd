// Reads the cases in `cases/*.txt`; `README.md` beside this file describes their notation.
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./cases/', import.meta.url);
const SECTION = /^--- (?<or>or )?(?<kind>text|seen|old|new|want|from|to|lands|refuse)(?= |$)(?<flags>.*)$/;
const MARKS = new Map([
  ['␉', '\t'],
  ['␠', ' '],
  ['␍', '\r'],
  ['␤', '\n'],
  ['␌', '\f'],
  ['␋', '\v'],
]);

/** Every case of every class, in the order of the file names. */
export function readCorpus() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readCases(name.replace(/\.txt$/, ''), readFileSync(new URL(name, FOLDER), 'utf8')));
}

/** The cases of one file. Throws when one of them is not written as it must be. */
export function readCases(group, source) {
  const samples = new Map();
  const cases = [];
  for (const block of source.split(/^(?==== |\+\+\+ )/m)) {
    const feed = block.indexOf('\n');
    const title = block.slice(4, feed).trim();
    const body = block.slice(feed + 1).replace(/\n\n?$/, '\n');
    if (block.startsWith('+++ ')) samples.set(title, body);
    else cases.push(readCase({ group, name: title, sections: sectionsOf(body), samples }));
  }
  return cases;
}

function sectionsOf(body) {
  const sections = [];
  for (const line of body.split('\n').slice(0, -1)) {
    const header = SECTION.exec(line);
    if (header !== null) {
      const flags = header.groups.flags.trim().split(/ +/).filter(Boolean);
      sections.push({ kind: header.groups.kind, alternative: header.groups.or !== undefined, flags, lines: [] });
    } else if (sections.length > 0) sections.at(-1).lines.push(line);
    else if (line !== '' && !line.startsWith('# ')) throw new Error(`Text outside of a section: ${line}`);
  }
  return sections;
}

function readCase({ group, name, sections, samples }) {
  const where = `${group}: ${name}`;
  const steps = [];
  const swaps = [];
  const acceptable = [];
  let text;
  let seen;
  let crlf = false;
  for (const section of sections) {
    const { kind, flags } = section;
    if (kind === 'text') {
      crlf = flags.includes('crlf');
      text = flags.includes('none') ? null : wholeText(section, samples, crlf);
    } else if (kind === 'seen') seen = wholeText(section, samples, flags.includes('crlf'));
    else if (kind === 'old') steps.push(stepOf(section));
    else if (kind === 'new') steps.at(-1).newText = piece(section, flags.includes('crlf'));
    else if (kind === 'want') {
      acceptable.push({ content: wholeText(section, samples, crlf && !flags.includes('lf')) });
    } else if (kind === 'from') {
      if (swaps.length === 0 || section.alternative) {
        swaps.push([]);
        acceptable.push({ swaps: swaps.at(-1) });
      }
      swaps.at(-1).push({ from: piece(section, crlf && !flags.includes('lf')) });
    } else if (kind === 'to') swaps.at(-1).at(-1).to = piece(section, crlf && !flags.includes('lf'));
    else if (kind === 'lands') acceptable.push({ literally: true });
    else acceptable.push(refusalOf(flags));
  }
  if (text === undefined || steps.length === 0 || acceptable.length === 0) throw new Error(`Incomplete case: ${where}`);
  if (steps.some(({ newText }) => newText === undefined)) throw new Error(`A step without a new text: ${where}`);
  const request = { text, steps, ...(seen === undefined ? {} : { seen }) };
  return { group, name, request, acceptable: acceptable.map((one) => resolve(one, request, where)) };
}

function stepOf(section) {
  const { flags } = section;
  const count = flags.find((flag) => flag.startsWith('count='));
  return {
    oldText: piece(section, flags.includes('crlf')),
    newText: undefined,
    replaceAll: flags.includes('all'),
    ...(count === undefined ? {} : { expected: Number(count.slice(6)) }),
  };
}

function refusalOf(flags) {
  const cause = flags.find((flag) => flag.startsWith('cause='));
  return {
    refused: flags.filter((flag) => flag !== cause),
    causes: cause === undefined ? [] : cause.slice(6).split('|'),
  };
}

/** A file: its last line is closed unless the section says `open`. */
function wholeText({ lines, flags }, samples, crlf) {
  const sample = flags.find((flag) => flag.startsWith('@'));
  if (sample !== undefined && !samples.has(sample.slice(1))) throw new Error(`No sample ${sample}.`);
  const source = sample === undefined ? lines.map((line) => `${line}\n`).join('') : samples.get(sample.slice(1));
  const text = expand(flags.includes('open') ? source.replace(/\n$/, '') : source, crlf);
  return flags.includes('bom') ? `\uFEFF${text}` : text;
}

/** A piece of a file: its last line is not closed unless the section says `closed`. */
function piece({ lines, flags }, crlf) {
  const text = expand(lines.join('\n') + (flags.includes('closed') ? '\n' : ''), crlf);
  return flags.includes('bom') ? `\uFEFF${text}` : text;
}

function expand(source, crlf) {
  const ended = crlf ? source.replaceAll('\n', '\r\n') : source;
  return ended
    .replaceAll(/\{(\d+)×([^}]*)\}/g, (_, count, unit) => unit.repeat(Number(count)))
    .replaceAll(/\{U\+([0-9A-F]{4,6})\}/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/[␉␠␍␤␌␋]/g, (mark) => MARKS.get(mark));
}

/** The content that is meant. A swap, and an edit that lands literally, must name one place beyond doubt. */
function resolve(expectation, { text, steps }, where) {
  if (expectation.swaps !== undefined) {
    return { content: expectation.swaps.reduce((now, { from, to }) => swapOnce(now, from, to, where), text) };
  }
  if (expectation.literally !== true) return expectation;
  if (steps[0].oldText === '') return { content: steps[0].newText };
  const content = steps.reduce((now, { oldText, newText, replaceAll, expected }) => {
    if (!replaceAll && (expected ?? 1) === 1) return swapOnce(now, oldText, newText, where);
    if (!now.includes(oldText)) throw new Error(`Nothing to replace: ${where}`);
    return now.split(oldText).join(newText);
  }, text);
  return { content };
}

function swapOnce(text, from, to, where) {
  const at = text.indexOf(from);
  if (from === '' || at === -1 || text.indexOf(from, at + 1) !== -1) {
    throw new Error(`${where}: stands ${at === -1 ? 'nowhere' : 'in several places'}: ${JSON.stringify(from)}`);
  }
  return text.slice(0, at) + to + text.slice(at + from.length);
}
