import { isObject } from '../../util/is-object.js';
import { fillBlanks, FOLDER_BLANKS } from './read-manifest.js';

interface HooksFolder {
  /** Of the extension, canonical. */
  readonly folder: string;
  /** Canonical. */
  readonly workspace: string;
  /** The extension relative to the project that it came with, with `/`; undefined for the person's own. */
  readonly below: string | undefined;
}

/** Under this name commands of hooks find their extension. */
const FOLDER_VARIABLE = 'TENON_EXTENSION_DIR';
const PROJECT_VARIABLE = 'TENON_PROJECT_DIR';

/**
 * The hooks of an extension with their blanks filled. What a shell reads gets variables in place of paths, so that no name of
 * a folder is taken for words of a command. Pure.
 */
export function fillHooks(hooks: unknown, place: HooksFolder): unknown {
  if (!isObject(hooks)) return hooks;
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.map((group) => filledGroup(group, place)) : groups,
    ]),
  );
}

function filledGroup(group: unknown, place: HooksFolder): unknown {
  if (!isObject(group) || !Array.isArray(group['hooks'])) return group;
  return { ...group, hooks: group['hooks'].map((hook) => filledHook(hook, place)) };
}

function filledHook(hook: unknown, place: HooksFolder): unknown {
  if (!isObject(hook) || typeof hook['command'] !== 'string') return hook;
  const { folder, below } = place;
  const { command, args } = hook;
  const env = { ...(isObject(hook['env']) && hook['env']), [FOLDER_VARIABLE]: folder, CLAUDE_PLUGIN_ROOT: folder };
  // No shell reads these.
  if (Array.isArray(args))
    return { ...hook, env, command: fillBlanks(command, place), args: args.map((each) => fillBlanks(each, place)) };
  const variable = (name: string): string => (hook['shell'] === 'powershell' ? `$env:${name}` : `\${${name}}`);
  const own = below === undefined ? variable(FOLDER_VARIABLE) : `${variable(PROJECT_VARIABLE)}/${below}`;
  return { ...hook, env, command: filledCommand(command, { own, workspace: variable(PROJECT_VARIABLE) }) };
}

function filledCommand(
  command: string,
  { own, workspace }: { readonly own: string; readonly workspace: string },
): string {
  const names = FOLDER_BLANKS.concat(FOLDER_VARIABLE).join('|');
  return command
    .replaceAll(new RegExp(`\\$\\{(?:${names})\\}|\\$(?:${names})\\b`, 'g'), () => own)
    .replaceAll('${workspacePath}', () => workspace)
    .replaceAll(/\$\{(?:\/|pathSeparator)\}/g, '/');
}
