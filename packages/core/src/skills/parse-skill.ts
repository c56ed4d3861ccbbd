import { cleanText } from '../util/clean-text.js';
import { errorMessage } from '../util/failure.js';
import { readFrontMatter, splitFrontMatter } from '../util/front-matter.js';
import { cutTo } from './cut-to.js';
import { pathGlob } from './match-paths.js';
import type { SkillHead } from './skill-types.js';

export type ParsedSkill =
  | {
      readonly head: SkillHead;
      readonly body: string;
      /** Whole sentences: it is used all the same. */ readonly faults: readonly string[];
    }
  /** Why it is none: the end of a sentence. */
  | { readonly problem: string };

/** Letters that every terminal shows as what they are, so that no name looks like another. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Of the open standard. */
const LONGEST_DESCRIPTION = 1024;
const LONGEST_LINE = 300;
const MOST_PATHS = 100;
const YES: ReadonlySet<unknown> = new Set([true, 'true', 'yes', 'on']);
const NO: ReadonlySet<unknown> = new Set([false, 'false', 'no', 'off', undefined, null]);

/** What others do by a field and Tenon does not. */
const WITHOUT_EFFECT: readonly (readonly [field: string, note: string])[] = [
  ['allowed-tools', 'allowed-tools grants nothing: your own rules judge every call.'],
  ['model', 'model is ignored: the model that you chose goes on.'],
  ['hooks', 'hooks are ignored: those of your settings run.'],
  ['context', 'context is ignored: the skill is told to whoever calls it.'],
];

/** Reads the text of a `SKILL.md`, by the open standard and what agents make of it. Nothing of it is evaluated or run. */
export async function parseSkill(dirty: string, folderName: string): Promise<ParsedSkill> {
  const { text } = cleanText(dirty.replace(/^\uFEFF/, ''));
  const isOpen = /^---[ \t]*\n/.test(text) && splitFrontMatter(text).head === undefined;
  if (isOpen) return { problem: 'the line of `---` at its top has no second one, so that its fields have no end' };
  let fields: Readonly<Record<string, unknown>>;
  let body: string;
  try {
    ({ fields, body } = await readFrontMatter(text).catch(() => readFrontMatter(withQuotes(text))));
  } catch (thrown) {
    return { problem: `its fields are no YAML: ${firstLine(errorMessage(thrown))}` };
  }
  const name = nameOf(fields['name'], folderName);
  if ('problem' in name) return name;
  const description = descriptionOf(fields, body);
  if (description === '') return { problem: 'it has no `description`, and says nothing that could stand for one' };
  if (body.trim() === '') return { problem: 'it says nothing below its fields' };
  const paths = pathsOf(fields['paths']);
  const calls = switchOf(fields, 'disable-model-invocation', { otherwise: true });
  const says = switchOf(fields, 'user-invocable', { otherwise: false, absent: true });
  const license = lineOf(fields['license']);
  const argumentHint = lineOf(fields['argument-hint']);
  const head: SkillHead = {
    name: name.name,
    description,
    ...(license !== undefined && { license }),
    ...(argumentHint !== undefined && { argumentHint }),
    ...(paths.globs !== undefined && { paths: paths.globs }),
    isForModel: !calls.value,
    isForPerson: says.value,
    notes: WITHOUT_EFFECT.flatMap(([field, note]) => (isGiven(fields[field]) ? [note] : [])),
  };
  return { head, body: body.trim(), faults: [...name.faults, ...paths.faults, ...calls.faults, ...says.faults] };
}

/** `description: Use it when: …` and `argument-hint: [a] [b]` are what people write, and no YAML: then they mean the text. */
function withQuotes(text: string): string {
  const { head, body } = splitFrontMatter(text);
  if (head === undefined) return text;
  const quoted = head.replaceAll(
    /^(description|argument-hint|when_to_use|name)([ \t]*):[ \t]+(?!["'|>])(\S.*)$/gm,
    (_, field: string, blanks: string, value: string) => `${field}${blanks}: ${JSON.stringify(value.trim())}`,
  );
  return `---\n${quoted}---\n${body}`;
}

function nameOf(
  given: unknown,
  folderName: string,
): { readonly name: string; readonly faults: readonly string[] } | { readonly problem: string } {
  const wanted = lineOf(given);
  if (wanted !== undefined && NAME.test(wanted)) return { name: wanted, faults: [] };
  const rule = 'a name holds letters a to z, digits, "-", "_" and "." only, at most 64 of them';
  const isFolderAName = NAME.test(folderName);
  if (wanted === undefined && isFolderAName) return { name: folderName, faults: [] };
  if (!isFolderAName)
    return { problem: `${JSON.stringify((wanted ?? folderName).slice(0, 80))} is no name for a skill: ${rule}` };
  const fault = `Its name ${JSON.stringify(wanted?.slice(0, 80))} is none (${rule}): it goes by that of its folder.`;
  return { name: folderName, faults: [fault] };
}

/** Without one the first paragraph stands for it. */
function descriptionOf(fields: Readonly<Record<string, unknown>>, body: string): string {
  const given = textOf(fields['description']);
  const when = textOf(fields['when_to_use']) ?? textOf(fields['when-to-use']);
  const [paragraph = ''] = body.trim().split(/\n[ \t]*\n/, 1);
  const said = [given ?? paragraph.replace(/^#+\s*/, ''), ...(when === undefined ? [] : [when])].join(' ');
  return cutTo(oneLine(said), LONGEST_DESCRIPTION);
}

interface Switch {
  readonly value: boolean;
  readonly faults: readonly string[];
}

/** A word that means neither counts as what is safer: `otherwise`. */
function switchOf(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  { otherwise, absent = false }: { readonly otherwise: boolean; readonly absent?: boolean },
): Switch {
  const raw = fields[field];
  const value = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
  if (value === undefined || value === null) return { value: absent, faults: [] };
  if (YES.has(value)) return { value: true, faults: [] };
  if (NO.has(value)) return { value: false, faults: [] };
  return { value: otherwise, faults: [`${field} is neither true nor false: it counts as ${otherwise}.`] };
}

/** A list, or a text with commas between. */
function pathsOf(value: unknown): { readonly globs?: readonly string[]; readonly faults: readonly string[] } {
  if (!isGiven(value)) return { faults: [] };
  const listed: readonly unknown[] = Array.isArray(value) ? value : String(value).split(/,(?![^{]*\})/);
  const given = listed.filter((each) => isGiven(each) && !(typeof each === 'string' && each.trim() === ''));
  if (given.length === 0) return { faults: [] };
  const globs = given.flatMap((each) => textOf(each)?.trim() ?? []);
  const good = globs.slice(0, MOST_PATHS).filter((glob) => pathGlob(glob) !== undefined);
  const bad = globs.filter((glob) => !good.includes(glob));
  const faults = bad
    .slice(0, 3)
    .map((glob) => `The path ${JSON.stringify(glob.slice(0, 80))} is no glob that can be used.`);
  if (globs.length < given.length) faults.push('What is no text among its paths is left out.');
  return { globs: good, faults };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** `argument-hint: [file]` is a list to YAML. */
function lineOf(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.map((item) => `[${String(item)}]`).join(' ') : textOf(value);
  if (text === undefined) return undefined;
  const line = cutTo(oneLine(text), LONGEST_LINE);
  return line === '' ? undefined : line;
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).trim() === '' ? undefined : String(value);
}

function oneLine(text: string): string {
  return cleanText(text, { strict: true }).text.replaceAll(/\s+/g, ' ').trim();
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
