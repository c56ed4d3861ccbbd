import { Failure } from '../util/failure.js';
import { isObject } from '../util/is-object.js';

/** What in the texts of a tool's file stands for something else. */
export interface ReferenceForms {
  /** The tool replaces `${NAME}`; others hand it on as it stands. */
  readonly braces?: true;
  /** The names that editors have: `${workspaceFolder}`, `${userHome}`, `${input:…}`. */
  readonly editor?: true;
  /** `{env:NAME}` */
  readonly curly?: true;
  /** `$NAME`: anywhere, or where it is the whole text. */
  readonly dollar?: 'anywhere' | 'alone';
}

/** A variable of the environment without which a server is not used. */
export interface NeededVariable {
  readonly name: string;
  /** What the file says of it: unclean text. */
  readonly hint?: string;
}

/** Replaces what stands for something else in the texts of one server. */
export interface TextCarrier {
  /** @throws Failure `mcp_import` for what has no counterpart here */
  readonly carry: (text: string) => string;
  readonly needs: readonly NeededVariable[];
  /** `${NAME}` that its own tool leaves alone, and Tenon does not. */
  readonly newlyReplaced: readonly string[];
}

/** What a file asks its user for, by the name under which its servers name it. */
export type InputVariables = ReadonlyMap<
  string,
  { readonly name: string; readonly fallback?: string; readonly hint?: string }
>;

const ANY = /\$\{([^}]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g;
const CURLY = /(?<!\$)\{(env|file):([^}]*)\}/g;
const VARIABLE = /^(env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
/** Names of VS Code that look like variables of the environment and have no counterpart here. */
const OF_THE_EDITOR: readonly string[] = [
  'cwd',
  'defaultBuildTask',
  'execPath',
  'extensionInstallFolder',
  'file',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirname',
  'fileExtname',
  'fileWorkspaceFolder',
  'lineNumber',
  'relativeFile',
  'relativeFileDirname',
  'selectedText',
  'workspaceFolderBasename',
];

export function textCarrier(forms: ReferenceForms, inputs: InputVariables, platform: NodeJS.Platform): TextCarrier {
  const needs = new Map<string, NeededVariable>();
  const newlyReplaced = new Set<string>();
  const need = (name: string, hint?: string): string => {
    needs.set(name, { name, ...(hint !== undefined && { hint }) });
    return `\${${name}}`;
  };
  const reference = (inner: string): string => {
    const id = forms.editor === true ? /^input:(.+)$/s.exec(inner)?.[1] : undefined;
    if (id !== undefined) {
      const { name, fallback, hint } = inputs.get(id) ?? { name: variableName(id) };
      return fallback === undefined ? need(name, hint) : `\${${name}:-${fallback}}`;
    }
    const own = forms.editor === true ? editorName(inner, platform) : undefined;
    if (own !== undefined) return own;
    const [, isMarked, name, fallback] = VARIABLE.exec(inner) ?? [];
    if (name === undefined || (forms.editor === true && isMarked === undefined && OF_THE_EDITOR.includes(name)))
      throw noCounterpart(`\${${inner}}`);
    if (name === 'workspaceFolder') return '${workspaceFolder}';
    if (isMarked === undefined && forms.braces !== true) newlyReplaced.add(name);
    return fallback === undefined ? need(name) : `\${${name}:-${fallback}}`;
  };
  return {
    carry: (text) => {
      const isAlone = /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(text);
      const takesDollar = forms.dollar === 'anywhere' || (forms.dollar === 'alone' && isAlone);
      const replaced = text.replaceAll(ANY, (whole, inner: string | undefined, bare: string | undefined) => {
        if (inner !== undefined) return reference(inner);
        return takesDollar && bare !== undefined ? need(bare) : whole;
      });
      if (forms.curly !== true) return replaced;
      return replaced.replaceAll(CURLY, (whole, kind: string, name: string) => {
        if (kind === 'file' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw noCounterpart(whole);
        return need(name);
      });
    },
    get needs() {
      return [...needs.values()];
    },
    get newlyReplaced() {
      return [...newlyReplaced];
    },
  };
}

function editorName(inner: string, platform: NodeJS.Platform): string | undefined {
  if (inner === 'workspaceRoot') return '${workspaceFolder}';
  if (inner === 'userHome') return platform === 'win32' ? '${USERPROFILE}' : '${HOME}';
  return inner === '/' || inner === 'pathSeparator' ? (platform === 'win32' ? '\\' : '/') : undefined;
}

/** The `inputs` of VS Code as variables. Where two would have one name, the later has a number. */
export function inputVariables(inputs: unknown): InputVariables {
  const variables = new Map<string, { name: string; fallback?: string; hint?: string }>();
  const taken = new Set<string>();
  for (const input of Array.isArray(inputs) ? inputs : []) {
    if (!isObject(input) || typeof input['id'] !== 'string' || variables.has(input['id'])) continue;
    const { id, description, default: fallback, password } = input;
    const plain = variableName(id);
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
    taken.add(name);
    const hasDefault = typeof fallback === 'string' && fallback !== '' && !fallback.includes('}') && password !== true;
    variables.set(id, {
      name,
      ...(hasDefault && { fallback }),
      ...(typeof description === 'string' && { hint: description }),
    });
  }
  return variables;
}

/** `github-token` as `GITHUB_TOKEN`. */
function variableName(id: string): string {
  const name = id
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  return /^[A-Z]/.test(name) ? name : `INPUT_${name}`;
}

function noCounterpart(what: string): Failure {
  const shown = JSON.stringify(what.length > 80 ? `${what.slice(0, 80)}…` : what);
  return new Failure(
    'mcp_import',
    `${shown} means something to its own tool only. Add the server by \`tenon mcp add\`, with what it stands for.`,
  );
}
