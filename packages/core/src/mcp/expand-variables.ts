import { Failure } from '../util/failure.js';

/** `${NAME}`, `${NAME:-default}`, and `${env:NAME}` as editors write it. */
const REFERENCE = /\$\{(env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
/** What is left of the form and is none of these, such as `${input:key}`. */
const ANY_REFERENCE = /\$\{[^}]*\}/;

/** What a definition may name: the environment, and `workspaceFolder`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The text with its variables replaced. What stands in a value is not looked at again. A variable that is set to nothing
 * counts as unset where there is a default, as in a shell.
 * @throws Failure `mcp_variable` naming what is not set, never the text
 */
export function expandVariables(text: string, variables: Variables): string {
  const missing: string[] = [];
  const strange = text.replaceAll(REFERENCE, '').match(ANY_REFERENCE)?.[0];
  if (strange !== undefined) {
    throw new Failure('mcp_variable', `${strange} is nothing that Tenon replaces. Write \${NAME} for a variable.`);
  }
  const expanded = text.replaceAll(REFERENCE, (_, _env: string | undefined, name: string, fallback?: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
  const names = [...new Set(missing)];
  if (names.length === 0) return expanded;
  const list = names.map((name) => `\${${name}}`).join(', ');
  const [is, it] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new Failure(
    'mcp_variable',
    `${list} ${is} not set. Set ${it} in the environment of Tenon, or give a default: \${${names[0] ?? ''}:-…}.`,
  );
}

/** The text for people: what is replaced stands as it is written, everything else is hidden. Of defaults only that there is one. */
export function hideAllButVariables(text: string): string {
  const shown = text.replaceAll(REFERENCE, (whole, _env: string | undefined, name: string, fallback?: string) =>
    fallback === undefined || fallback === '' ? whole : `\${${name}:-…}`,
  );
  const references = shown.match(/\$\{[^}]*\}/g) ?? [];
  return references.length === 0 ? '(hidden)' : references.join(' ');
}
