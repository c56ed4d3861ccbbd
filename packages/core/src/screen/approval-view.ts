import { describeEffect } from '../effects/describe.js';
import { doubtOf, isPathEffect, type Effect } from '../effects/effect.js';
import { countDiff, countFiles, diffView, namesFiles } from './diff-view.js';
import { joinSafe, makeSafe, safeText, type Safe } from './safe-text.js';
import { cutLine, shortenText } from './shorten.js';
import { createPainter, type Painter } from './style.js';

/** What an approval is about; the shape of the contract's confirmation details, as far as it is shown. */
export type ApprovalDetails =
  | { readonly type: 'exec'; readonly title: string; readonly command: string; readonly directory?: string }
  | {
      readonly type: 'edit';
      readonly title: string;
      readonly fileDiff: string;
      readonly originalContent: string | null;
      readonly newContent: string;
      readonly isNewFile?: true;
    }
  | { readonly type: 'info'; readonly title: string; readonly prompt: string; readonly urls?: readonly string[] }
  | {
      readonly type: 'mcp';
      readonly title: string;
      readonly serverName: string;
      readonly toolName: string;
      readonly prompt?: string;
    }
  | { readonly type: 'plan'; readonly title: string; readonly plan: string }
  | { readonly type: 'question'; readonly title: string; readonly questions: readonly ShownQuestion[] };

/** Of a question of the agent what is shown. */
interface ShownQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
}

/** A question to the person. All of it is untrusted. */
export interface ApprovalViewInput {
  /** The subagent that asks. */
  readonly agent?: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  readonly details: ApprovalDetails;
  readonly reason: string;
  readonly alwaysRules: readonly string[];
  readonly generalRules?: readonly string[];
  readonly changedSinceApproval: boolean;
}

export interface ApprovalViewOptions {
  readonly colour: boolean;
  /** Lines of the command, diff or text to show; of a longer one head and tail, and how much is missing. Default 60. */
  readonly maxLines?: number;
  /** True: every line, the long ones whole, and every effect. */
  readonly whole?: boolean;
}

const MOST_LINES = 60;
const MOST_EFFECTS = 20;
const LONGEST_LINE = 500;

/**
 * Everything a person must see to decide: the exact command, diff or text with hidden characters made visible
 * and its size; where each path really leads and what lies outside; why it is asked; and the rules that
 * "always" would save.
 */
export function approvalView(request: ApprovalViewInput, options: ApprovalViewOptions): Safe {
  const painter = createPainter(options.colour);
  const title = titleLine(request, painter);
  const lines: Safe[] = request.agent === undefined ? [title] : [askerLine(request.agent, painter), title];
  if (request.changedSinceApproval) {
    lines.push(painter('yellow', safeText`What this call would do has changed since you approved it.`));
  }
  lines.push(...detailLines(request, options));
  if (!isQuestion(request)) {
    lines.push(...effectLines(request.effects, options.whole === true ? Infinity : MOST_EFFECTS, painter));
    lines.push(safeText`Why you are asked: ${line(request.reason)}`);
  }
  lines.push(...ruleLines(safeText`"Always" would save:`, request.alwaysRules));
  lines.push(...ruleLines(safeText`"Always for calls of this kind" would save:`, request.generalRules ?? []));
  return joinSafe(lines, safeText`\n`);
}

/** It does nothing but ask: that it asks, and why, is what stands there. */
function isQuestion({ effects }: ApprovalViewInput): boolean {
  return effects.length > 0 && effects.every(({ kind }) => kind === 'ask');
}

function titleLine(request: ApprovalViewInput, painter: Painter): Safe {
  const head = painter('bold', line(headOf(request)));
  return isQuestion(request) ? head : safeText`${head}: ${line(request.description)}`;
}

/** Names may be as long as whoever wrote the definition liked. */
const LONGEST_NAME = 80;

function askerLine(agent: string, painter: Painter): Safe {
  const name = makeSafe(agent, { maxLength: LONGEST_NAME });
  return safeText`${painter('yellow', safeText`The subagent ${name} asks:`)}`;
}

/** The title without what is said elsewhere: "Confirm Write: a.txt" of "src/a.txt", "Confirm Patch: 3 files" above all three. */
function headOf({ details, description }: ApprovalViewInput): string {
  const { title } = details;
  const end = title.indexOf(': ');
  if (end === -1) return title;
  const isSaid =
    description.endsWith(title.slice(end + 2)) || (details.type === 'edit' && namesFiles(details.fileDiff));
  return isSaid ? title.slice(0, end) : title;
}

function line(text: string): Safe {
  return makeSafe(text, { maxLength: LONGEST_LINE });
}

function detailLines({ details, effects }: ApprovalViewInput, options: ApprovalViewOptions): Safe[] {
  switch (details.type) {
    case 'exec': {
      const where = details.directory === undefined ? [] : [safeText`  in ${line(details.directory)}`];
      return [safeText`Command (${sizeOf(details.command)}):`, ...block(details.command, options), ...where];
    }
    case 'edit':
      return changeLines(details, effects, options);
    case 'info': {
      const painter = createPainter(options.colour);
      const urls = (details.urls ?? []).map((url) => safeText`  ${painter('underline', line(url))}`);
      return [...block(details.prompt, options), ...urls];
    }
    case 'mcp': {
      const from = safeText`Tool ${line(details.toolName)} of the server ${line(details.serverName)}`;
      return [from, ...(details.prompt === undefined ? [] : block(details.prompt, options))];
    }
    case 'plan':
      return block(details.plan, options);
    case 'question':
      return details.questions.flatMap((question) => questionLines(question, options));
    default:
      return details satisfies never;
  }
}

function questionLines(
  { question, options: answers, multiSelect }: ShownQuestion,
  options: ApprovalViewOptions,
): Safe[] {
  const several = multiSelect ? [safeText`  (several may be chosen)`] : [];
  const offered = answers.map(({ label, description }) =>
    description === '' ? safeText`  • ${line(label)}` : safeText`  • ${line(label)}: ${line(description)}`,
  );
  return [...block(question, options), ...several, ...offered];
}

type EditDetails = Extract<ApprovalDetails, { type: 'edit' }>;

/** Which file it is stands in the title and, with where it really leads, among the effects. */
function changeLines(details: EditDetails, effects: readonly Effect[], options: ApprovalViewOptions): Safe[] {
  const { fileDiff } = details;
  const { added, removed } = countDiff(fileDiff);
  const files = countFiles(fileDiff);
  const counts = safeText`${added} ${added === 1 ? safeText`line` : safeText`lines`} added, ${removed} removed`;
  const { colour, whole = false } = options;
  const diff = diffView(fileDiff, { colour, maxLines: mostLines(options), header: false, wholeLines: whole });
  const head = isDeletion(effects)
    ? safeText`${files > 1 ? safeText`${files} files are` : safeText`the file is`} deleted; ${counts}`
    : files > 1
      ? safeText`${counts} in ${files} files`
      : safeText`${counts}; ${sizesOf(details)}`;
  return [safeText`Change: ${head}`, ...(diff === '' ? [] : [diff])];
}

/** In a diff, a file that goes looks like one that is emptied. */
function isDeletion(effects: readonly Effect[]): boolean {
  const kinds = new Set(effects.map(({ kind }) => kind));
  return kinds.has('delete') && !kinds.has('write');
}

function sizesOf({ originalContent, newContent, isNewFile }: EditDetails): Safe {
  const before = isNewFile === true || originalContent === null ? safeText`a new file` : sizeOf(originalContent);
  return safeText`${before} → ${sizeOf(newContent)}`;
}

function mostLines({ maxLines = MOST_LINES, whole = false }: ApprovalViewOptions): number {
  return whole ? Infinity : maxLines;
}

/** Each line cut on its own: one long line must not hide the lines after it. Both ends of it are shown. */
function block(text: string, options: ApprovalViewOptions): Safe[] {
  const shown = options.whole === true ? text : text.split('\n').map(cutLine).join('\n');
  const visible = makeSafe(shown, { multiline: true });
  return shortenText(visible, mostLines(options)).map((each) => safeText`  ${each}`);
}

function sizeOf(text: string): Safe {
  const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
  return safeText`${lines} ${lines === 1 ? safeText`line` : safeText`lines`}, ${new TextEncoder().encode(text).length} bytes`;
}

function effectLines(effects: readonly Effect[], most: number, painter: Painter): Safe[] {
  if (effects.length === 0) return [];
  const shown = effects.slice(0, most).map((effect) => effectLine(effect, painter));
  const missing = effects.length - shown.length;
  return [safeText`It would:`, ...shown, ...(missing > 0 ? [safeText`  … and ${missing} more effects`] : [])];
}

function effectLine(effect: Effect, painter: Painter): Safe {
  if (effect.kind === 'run' && effect.zone !== 'workspace') {
    // The same words do something else in a folder that others may have filled.
    const where = effect.zone === 'temp' ? safeText`[the temp folder]` : safeText`[outside the workspace]`;
    return safeText`  • ${line(describeEffect(effect))} in ${line(effect.directory)} ${painter('yellow', where)}`;
  }
  if (!isPathEffect(effect)) {
    const text = safeText`  • ${line(describeEffect(effect))}`;
    return doubtOf(effect) === undefined ? text : painter('yellow', text);
  }
  const tree = effect.scope === 'tree' ? safeText` and everything below` : safeText``;
  const leads = effect.path === effect.requested ? safeText`` : safeText` → really ${line(effect.path)}`;
  const text = safeText`  • ${line(effect.kind)} ${line(effect.requested)}${leads}${tree}`;
  const isOutside = effect.zone === 'outside' || effect.zone === 'skill';
  return isOutside ? safeText`${text} ${painter('yellow', safeText`[outside the workspace]`)}` : text;
}

function ruleLines(head: Safe, rules: readonly string[]): Safe[] {
  if (rules.length === 0) return [];
  return [head, ...rules.map((rule) => safeText`  allow ${line(rule)}`)];
}
