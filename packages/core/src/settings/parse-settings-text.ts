import type { Node, ParseError } from 'jsonc-parser';
import { checkValue } from './check-value.js';
import { nearestName } from '../util/nearest-names.js';
import {
  allSettingKeys,
  findSetting,
  isSettingGroup,
  type SettingDefinition,
  type SettingKey,
  type SettingTypes,
} from './schema.js';

export interface SettingsProblem {
  /** `fatal`: something security-relevant may have been lost, the run must not go on. */
  readonly severity: 'warning' | 'fatal';
  /** One line: file, line, column, cause and next step. */
  readonly message: string;
  /** It says why a server is not used, as the list of servers does. */
  readonly isListed?: true;
}

/** Where something stands: `3:14` is column 14 of line 3, both from 1. */
export type Position = string;

/** One valid value of one file, where its name stands, and where the items of a list do. */
export interface SettingEntry {
  readonly key: SettingKey;
  readonly value: SettingTypes[SettingKey];
  readonly at: Position;
  readonly itemsAt?: readonly Position[];
}

/** What jsonc-parser gives; handed in so that it is loaded only when there is a file to read. */
export interface JsoncParser {
  parseTree(text: string, errors: ParseError[], options: object): Node | undefined;
  printParseErrorCode(code: number): string;
}

interface Reading {
  readonly text: string;
  readonly file: string;
  readonly entries: Map<SettingKey, SettingEntry>;
  /** Under which name each stands. */
  readonly spelled: Map<SettingKey, string>;
  readonly problems: SettingsProblem[];
}

/** Reads one settings file: JSON with comments and trailing commas. Never throws on bad text. */
export function parseSettingsText(
  text: string,
  file: string,
  parser: JsoncParser,
): { readonly entries: readonly SettingEntry[]; readonly problems: readonly SettingsProblem[] } {
  const reading: Reading = { text, file, entries: new Map(), spelled: new Map(), problems: [] };
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parser.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // The parser recurses; only absurd nesting gets here.
    reading.problems.push({ severity: 'fatal', message: `${file}: is nested too deeply to be read.` });
    return { entries: [], problems: reading.problems };
  }
  const [first] = errors;
  if (first !== undefined) {
    // A broken file may have held a deny rule, wherever the mistake is.
    const cause = parser
      .printParseErrorCode(first.error)
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    report(reading, 'fatal', first.offset, `not valid JSON (${cause}). Correct it, or move the file away.`);
  } else if (root !== undefined && root.type !== 'object') {
    report(reading, 'fatal', root.offset, 'the settings must be one JSON object, such as {"approvalMode": "default"}.');
  } else if (root !== undefined) {
    readObject(reading, root, '');
    reading.problems.push(...oldNames(reading));
  }
  return { entries: Array.from(reading.entries.values()), problems: reading.problems };
}

function readObject(reading: Reading, node: Node, prefix: string): void {
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [nameNode, valueNode] = property.children ?? [];
    if (nameNode === undefined || valueNode === undefined) continue;
    const key = prefix + String(nameNode.value);
    // JSON lets the later of two equal keys win without a word; a deny list could vanish like that.
    if (seen.has(key)) {
      const severity = guardsSomething(key) ? 'fatal' : 'warning';
      report(reading, severity, nameNode.offset, `"${key}" stands there twice. Keep one of them.`);
    }
    seen.add(key);
    readProperty(reading, key, nameNode, valueNode);
  }
}

function readProperty(reading: Reading, key: string, nameNode: Node, valueNode: Node): void {
  const setting = findSetting(key);
  if (setting !== undefined) {
    if (!isSpellingThatCounts(reading, setting, key, nameNode.offset)) return;
    const checked = checkValue(setting.type, plainValue(valueNode));
    if (!checked.ok) {
      const severity = setting.securityRelevant ? 'fatal' : 'warning';
      // The one item that is wrong, where there is one: a list may be long.
      const item = checked.item === undefined ? undefined : valueNode.children?.[checked.item];
      const end = /[.?!]$/.test(checked.expected) ? '' : '.';
      report(reading, severity, (item ?? valueNode).offset, `"${key}" must be ${checked.expected}${end}`);
      return;
    }
    const items = setting.type === 'texts' || setting.type === 'rules' ? valueNode.children : undefined;
    const itemsAt = items?.map((item) => positionOf(reading, item.offset));
    reading.entries.set(setting.key, {
      key: setting.key,
      value: checked.value,
      at: positionOf(reading, nameNode.offset),
      ...(itemsAt === undefined ? {} : { itemsAt }),
    });
  } else if (isSettingGroup(key)) {
    if (valueNode.type === 'object') return readObject(reading, valueNode, `${key}.`);
    const severity = guardsSomething(key) ? 'fatal' : 'warning';
    report(reading, severity, valueNode.offset, `"${key}" must be an object.`);
  } else if (key !== '$schema') {
    reportUnknown(reading, key, nameNode.offset);
  }
}

/** Returns a warning for each setting that is written under an older name (K11). */
function oldNames({ file, entries, spelled }: Reading): SettingsProblem[] {
  return Array.from(entries.values()).flatMap(({ key, at }): SettingsProblem[] => {
    const name = spelled.get(key) ?? key;
    if (name === key) return [];
    const message = `${file}:${at}: "${name}" is an old name of "${key}". It still works; rename it.`;
    return [{ severity: 'warning', message }];
  });
}

/** Of several names of one setting the first in the table counts, wherever they stand. */
function isSpellingThatCounts(reading: Reading, setting: SettingDefinition, key: string, offset: number): boolean {
  const earlier = reading.spelled.get(setting.key) ?? key;
  const names = [setting.key, ...(setting.aliases ?? [])];
  const isFirst = names.indexOf(key) <= names.indexOf(earlier);
  const [counts, other] = isFirst ? [key, earlier] : [earlier, key];
  reading.spelled.set(setting.key, counts);
  if (counts === other) return true;
  const severity = setting.securityRelevant ? 'fatal' : 'warning';
  report(
    reading,
    severity,
    offset,
    `"${counts}" and "${other}" are one setting: "${counts}" counts. Keep one of them.`,
  );
  return isFirst;
}

/** An unknown key that was meant to guard something is as bad as a lost one. */
function reportUnknown(reading: Reading, key: string, offset: number): void {
  const meant = nearestName(key, [...allSettingKeys(), ...groupsOf(allSettingKeys())]);
  const lost = key.startsWith('permissions.') || (meant !== undefined && guardsSomething(meant));
  const hint = meant === undefined ? '`tenon config` lists the settings.' : `Did you mean "${meant}"?`;
  report(reading, lost ? 'fatal' : 'warning', offset, `"${key}" is not a setting. ${hint}`);
}

/** True for a security-relevant setting and for a group that holds one of the rules or the mode. */
function guardsSomething(key: string): boolean {
  return findSetting(key)?.securityRelevant ?? allSettingKeys().some((name) => inGroup(name, key));
}

function inGroup(name: string, group: string): boolean {
  return name.startsWith(`${group}.`) && findSetting(name)?.securityRelevant === true;
}

function groupsOf(keys: readonly string[]): string[] {
  return Array.from(new Set(keys.filter((key) => key.includes('.')).map((key) => key.slice(0, key.indexOf('.')))));
}

/** The node as plain data. Objects get no prototype: `__proto__` is just a key. */
export function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name !== undefined && value !== undefined) result[String(name.value)] = plainValue(value);
  }
  return result;
}

function report(reading: Reading, severity: SettingsProblem['severity'], offset: number, text: string): void {
  reading.problems.push({ severity, message: `${reading.file}:${positionOf(reading, offset)}: ${text}` });
}

function positionOf({ text }: Reading, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split(/\r\n|\r|\n/).length;
  return `${line}:${offset - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'))}`;
}
