import { member } from './pattern-reader.js';
import { UNICODE_TABLES } from './unicode-tables.js';

type TableName = keyof typeof UNICODE_TABLES;

/** Names as `normal` leaves them. */
const PROPERTIES: Readonly<Record<string, TableName>> = {
  age: 'age',
  gcb: 'gcb',
  graphemeclusterbreak: 'gcb',
  wb: 'wb',
  wordbreak: 'wb',
  sb: 'sb',
  sentencebreak: 'sb',
  bc: 'bc',
  bidiclass: 'bc',
  bidim: 'bidim',
  bidimirrored: 'bidim',
};

/** Long names of values, and the short ones by which the tables know them. */
const LONG_NAMES: Readonly<Record<TableName, Readonly<Record<string, string>>>> = {
  age: {},
  gcb: {
    control: 'cn',
    extend: 'ex',
    prepend: 'pp',
    regionalindicator: 'ri',
    spacingmark: 'sm',
  },
  wb: {
    aletter: 'le',
    doublequote: 'dq',
    extendnumlet: 'ex',
    format: 'fo',
    hebrewletter: 'hl',
    katakana: 'ka',
    midletter: 'ml',
    midnum: 'mn',
    midnumlet: 'mb',
    newline: 'nl',
    numeric: 'nu',
    regionalindicator: 'ri',
    singlequote: 'sq',
  },
  sb: {
    aterm: 'at',
    close: 'cl',
    extend: 'ex',
    format: 'fo',
    lower: 'lo',
    numeric: 'nu',
    oletter: 'le',
    scontinue: 'sc',
    sep: 'se',
    sterm: 'st',
    upper: 'up',
  },
  bidim: {},
  bc: {},
};

/** The name of a property that JavaScript does not know, where the tables do; `name` as `normal` leaves it. */
export function tableOf(name: string): TableName | undefined {
  return PROPERTIES[name];
}

/** What stands in a set for the characters that have the value; undefined where there is none. `value` as `normal` leaves it. */
export function tableSet(table: TableName, value: string): string | undefined {
  const { values, runs } = UNICODE_TABLES[table];
  const wanted = lettersOf(table, values.toLowerCase().split(' '), value);
  if (wanted === '') return undefined;
  let [ranges, start] = ['', 0];
  for (const [, length = '', letter = ''] of runs.matchAll(/([0-9a-z]+)([^0-9a-z])/g)) {
    const end = start + Number.parseInt(length, 36);
    if (wanted.includes(letter)) ranges += end - start === 1 ? member(start) : `${member(start)}-${member(end - 1)}`;
    start = end;
  }
  return ranges;
}

function lettersOf(table: TableName, values: readonly string[], value: string): string {
  if (table === 'age') {
    const plain = (version: string): string => version.replace(/[v.]/g, '');
    const at = values.findIndex((version) => plain(version) === plain(value));
    // What was there is there in all later ones.
    return values
      .slice(0, at + 1)
      .map((_, place) => letterAt(place))
      .join('');
  }
  const name = LONG_NAMES[table][value] ?? value;
  const at = values.indexOf(name);
  return at === -1 ? '' : letterAt(at);
}

function letterAt(place: number): string {
  return String.fromCharCode(place < 26 ? 65 + place : 0x40);
}
