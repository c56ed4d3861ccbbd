import { isObject } from '../../util/is-object.js';

/** An argument that is also sent as `Mcp-Param-<header>` (SEP-2243). */
export interface ParamHeader {
  readonly header: string;
  readonly path: readonly string[];
}

const DEEPEST = 20;
const SENDABLE: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** The headers that an input schema asks for; `problem`: why a remote server's tool cannot be used. */
export function findParamHeaders(schema: unknown): {
  readonly headers: readonly ParamHeader[];
  readonly problem?: string;
} {
  const headers: ParamHeader[] = [];
  const problems: string[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (!isObject(node) || path.length > DEEPEST) return;
    const header = node['x-mcp-header'];
    if (header !== undefined) {
      if (typeof header !== 'string' || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header))
        problems.push(`x-mcp-header of ${path.join('.')} is no name of a header`);
      else if (!SENDABLE.has(node['type'])) problems.push(`x-mcp-header of ${path.join('.')} is of no plain type`);
      else if (headers.some((other) => other.header.toLowerCase() === header.toLowerCase()))
        problems.push(`x-mcp-header ${header} stands twice`);
      else headers.push({ header, path });
    }
    const { properties } = node;
    if (isObject(properties)) for (const [name, child] of Object.entries(properties)) visit(child, [...path, name]);
  };
  visit(schema, []);
  const [problem] = problems;
  return problem === undefined ? { headers } : { headers: [], problem };
}

/** By name without the prefix, as they are sent; what is absent or null has none. */
export function paramHeaderValues(headers: readonly ParamHeader[], args: object): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { header, path } of headers) {
    const value = path.reduce<unknown>(
      (node, name) => (isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined),
      args,
    );
    if (typeof value === 'string') values[header] = encodedValue(value);
    else if (typeof value === 'boolean' || Number.isSafeInteger(value)) values[header] = String(value);
  }
  return values;
}

/** What a header cannot carry as it is goes as base64, and so does what looks as if it had. */
function encodedValue(text: string): string {
  const isPlain = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !/^=\?base64\?.*\?=$/i.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
