import type { Effect, FetchEffect, RunEffect } from '../effects/effect.js';
import { goesThroughTree } from './tree-programs.js';

/** What PowerShell and cmd.exe take for the same as a name: aliases that come with them. Only deny and ask rules believe it. */
const SAME_PROGRAMS: readonly (readonly string[])[] = [
  'remove-item rm ri del erase rd rmdir',
  'remove-itemproperty rp',
  'remove-wmiobject rwmi',
  'remove-psdrive rdr',
  'clear-content clc',
  'clear-item cli',
  'clear-itemproperty clp',
  'copy-item cp copy cpi xcopy robocopy',
  'move-item mv move mi ren rename rni rename-item',
  'new-item ni mkdir md',
  'set-content sc',
  'add-content ac',
  'set-item si',
  'set-itemproperty sp',
  'set-alias sal new-alias nal',
  'set-variable sv set',
  'set-wmiinstance swmi',
  'tee-object tee',
  'get-content cat gc type more',
  'get-item gi',
  'get-itemproperty gp',
  'get-process gps ps tasklist',
  'get-wmiobject gwmi',
  'select-string sls',
  'get-childitem ls dir gci',
  'set-location cd chdir sl pushd push-location',
  'new-psdrive ndr mount',
  'invoke-expression iex',
  'invoke-command icm',
  'invoke-item ii',
  'invoke-history ihy r',
  'invoke-wmimethod iwmi',
  'import-module ipmo',
  'new-pssession nsn',
  'enter-pssession etsn',
  'invoke-webrequest iwr curl wget',
  'invoke-restmethod irm',
  'start-process saps start',
  'start-job sajb',
  'stop-process spps kill taskkill',
  'stop-service spsv',
  'start-service sasv',
  'stop-computer restart-computer shutdown',
  'net net1',
  'powershell pwsh',
].map((line) => line.split(' '));

/** Names by which a rule on the program may be meant, in lower case, that one left out. */
export function sameProgramsAs(isMeant: (name: string) => boolean): string[] {
  const names = SAME_PROGRAMS.filter((family) => family.some(isMeant)).flat();
  return [...new Set(names)].filter((name) => !isMeant(name));
}

/** What is asked of a `CommandPattern`. */
interface WrittenPattern {
  readonly words: readonly (readonly string[])[];
  readonly anyRest: boolean;
  readonly text: string;
}

/** What may be written outside quotes anywhere in a rule with a wildcard: every shell reads it as itself. */
const PLAIN = /^[\w./:+=,-]*$/;
/** What a wildcard stands for in a text that is not analysed. */
const STANDS_FOR = /^[\w.-]*$/;
const LONGEST_WORD = 500;

/**
 * Whether an allow rule speaks of the whole text: it is the text, as it is or between quotes, or it is its words with
 * wildcards that stand for letters, digits, dots and hyphens within one word. `git *` speaks of no text, since nobody
 * knows where its command ends.
 */
export function allowsWholeText({ words, anyRest, text: written }: WrittenPattern, command: string): boolean {
  const text = trimmed(command);
  if (anyRest || text === '') return false;
  if (words.every((pieces) => pieces.length === 1)) {
    return text === written || (words.length === 1 && text === words[0]?.[0]);
  }
  const given = text.split(/ +/);
  if (given.length !== words.length || !words.every((pieces) => pieces.every((piece) => PLAIN.test(piece))))
    return false;
  return words.every((pieces, at) => {
    const word = given[at] ?? '';
    if (pieces.length === 1) return word === pieces[0];
    return at > 0 && word.length <= LONGEST_WORD && standsFor(pieces, word);
  });
}

function standsFor(pieces: readonly string[], word: string): boolean {
  const [first = '', ...rest] = pieces;
  if (!word.startsWith(first) || (first === '' && /^[-/]/.test(word)) || word.includes('..')) return false;
  // From left to right, each piece where it comes first, the last one at the end.
  let from = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const at = isLast ? word.length - piece.length : word.indexOf(piece, from);
    if (at < from || !word.startsWith(piece, at) || !STANDS_FOR.test(word.slice(from, at))) return false;
    if (isNoName(word, from, at)) return false;
    from = at + piece.length;
  }
  return true;
}

/** Between slashes nothing, or a dot alone: that is the folder before it, not something in it. */
function isNoName(word: string, from: number, to: number): boolean {
  return (
    /^\.?$/.test(word.slice(from, to)) && /(?:^|\/)$/.test(word.slice(0, from)) && /^(?:\/|$)/.test(word.slice(to))
  );
}

/** More words than these are not looked through: every rule counts as met. */
const MOST_WORDS = 1500;
/** What sets words apart in one of these shells, quotes of every kind among it. */
const APART = /[\s;&|()<>{}[\]`"'$=,@!+\u2018-\u201f]+/;
const ESCAPES = /[`^"'\u2018-\u201f]/g;
const ENDS = /(?:[0-9*]?[<>]|[;&|(){}#\r\n])+/;
/** `del/q x`: cmd.exe needs no blank in front of an option. */
const ATTACHED_OPTION = /(^|[\s;&|(@])([a-z]{2,9})\//gi;

/**
 * The words of a text in every way in which one of the shells may read it: the whole text in one line, and each of its
 * statements; with quotes and escape characters between words, and taken out of them. Undefined when it is too long.
 */
export function readingsOf(text: string): (readonly string[])[] | undefined {
  if (text.split(APART).length > MOST_WORDS) return undefined;
  const lines = [text, ...text.split(ENDS)].flatMap((line) => {
    const spaced = line.replaceAll(ATTACHED_OPTION, '$1$2 /');
    return [line.split(APART), line.split(/\s+/), spaced.split(APART), spaced.replaceAll(ESCAPES, '').split(APART)];
  });
  const readings = lines.map((words) => words.filter((word) => word !== '')).filter((words) => words.length > 0);
  return [...new Map(readings.map((words) => [words.join('\n'), words])).values()];
}

/**
 * What the words of such a text name, as effects that are judged by their words alone: a command with all of them, with
 * backslashes as slashes too, and each address. Undefined when it is too long to be looked through.
 */
export function namedIn({ command, argv, directory, zone }: RunEffect): readonly [RunEffect, ...Effect[]] | undefined {
  const readings = readingsOf(command);
  if (readings === undefined) return undefined;
  const words = [...new Set(readings.flat().flatMap((word) => [word, word.replaceAll('\\', '/')]))];
  const run: RunEffect = { kind: 'run', command, argv: [argv[0] ?? '', ...words], directory, zone, readOnly: false };
  return [run, ...words.flatMap(addressOf)];
}

/** A wildcard, an option for going on below, or a program that does so by itself. */
export function mayGoThroughTree({ command }: RunEffect): boolean {
  if (/[*?]|\s[-/](?:r|d|s|e)/i.test(command)) return true;
  return readingsOf(command)?.some((words) => words.some((_, at) => goesThroughTree(words.slice(at), 'both'))) ?? true;
}

function addressOf(word: string): FetchEffect[] {
  if (!/^(?:[a-z][\w+.-]*:\/\/)?(?:[\w-]+\.)+[a-z]{2,}(?:[:/?#]|$)/i.test(word)) return [];
  const url = /^[a-z][\w+.-]*:\/\//i.test(word) ? word : `http://${word}`;
  return URL.canParse(url) ? [{ kind: 'fetch', host: new URL(url).hostname, url }] : [];
}

/** Removes the blanks at both ends that every shell ignores. */
export function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
