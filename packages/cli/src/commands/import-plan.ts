import path from 'node:path';
import { isSameServer, type ConfiguredServer, type ForeignServer } from '@tenon/core';
import type { ImportPlace } from './import-places.js';
import type { Scope } from './mcp-change.js';

/**
 * `new`: it can be added. `there`: the same stands in Tenon's settings, or was found before. `taken`: another server has the
 * name. `refused`: it cannot be taken.
 */
export type ImportState = 'new' | 'there' | 'taken' | 'refused';

/** A server that was found, and what becomes of it. */
export interface ImportRow {
  readonly place: ImportPlace;
  readonly server: ForeignServer;
  readonly state: ImportState;
  /** What would be written. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly scope: Scope;
  /** Under which name it would be added: for `taken` one that is free. */
  readonly name: string;
  /** For `there` and `taken`: which one, and where. */
  readonly other?: { readonly name: string; readonly place: string };
}

export interface FoundServer {
  readonly place: ImportPlace;
  readonly server: ForeignServer;
}

export interface PlanOptions {
  readonly servers: readonly Pick<ConfiguredServer, 'alias' | 'raw' | 'place'>[];
  /** Undefined: what is of the project goes to the project, where it counts once that is trusted. */
  readonly scope: Scope | undefined;
  readonly root: string;
}

/** Compares what was found with what is there, in the order in which it was found. Pure. */
export function planImport(found: readonly FoundServer[], { servers, scope, root }: PlanOptions): readonly ImportRow[] {
  const known = servers.map(({ alias, raw, place }) => ({ name: alias, raw, place, isRead: true }));
  const names = new Set([...known.map(({ name }) => name), ...found.map(({ server }) => server.alias)]);
  return found.map(({ place, server }): ImportRow => {
    const target = scope ?? place.level;
    const definition = inPlace(server.definition ?? {}, { place, target, root });
    const row = { place, server, definition, scope: target, name: server.alias };
    if (server.refusal !== undefined) return { ...row, state: 'refused' };
    // A file that Tenon reads itself needs no import.
    const itself = known.find((one) => one.place === place.file && one.name === server.alias && one.isRead);
    const same = itself ?? known.find(({ raw }) => isSameServer(raw, definition));
    if (same !== undefined) return { ...row, state: 'there', other: same };
    const holder = known.find(({ name }) => name === server.alias);
    if (holder !== undefined) {
      const name = freeName(server.alias, names);
      names.add(name);
      return { ...row, state: 'taken', name, other: holder };
    }
    known.push({ name: server.alias, raw: definition, place: place.file, isRead: false });
    return { ...row, state: 'new' };
  });
}

/** A project's relative folder is meant from the project, wherever the definition stands. */
function inPlace(
  definition: Readonly<Record<string, unknown>>,
  { place, target, root }: { readonly place: ImportPlace; readonly target: Scope; readonly root: string },
): Readonly<Record<string, unknown>> {
  const { cwd } = definition;
  const isRelative = typeof cwd === 'string' && !path.isAbsolute(cwd) && !/^(~\/|\$\{)/.test(cwd);
  if (!isRelative || place.level !== 'project' || target !== 'user') return definition;
  return { ...definition, cwd: path.resolve(root, cwd) };
}

const MOST_LETTERS = 64;

function freeName(alias: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const end = `-${number}`;
    const name =
      Array.from(alias)
        .slice(0, MOST_LETTERS - end.length)
        .join('') + end;
    if (!taken.has(name)) return name;
  }
}
