import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { findProgram } from '../util/find-program.js';
import { isExecutable } from '../util/is-executable.js';
import { isWithin } from '../util/paths-below.js';
import type { ServerSpec } from './server-spec.js';

export interface LocateContext {
  /** Where to begin to look, and the workspace root above it or the same; absolute, canonical. */
  readonly root: string;
  readonly workspaceRoot: string;
  /** PATH of the server's environment. */
  readonly path: string;
  /** Absolute path of the program that runs JavaScript. */
  readonly node: string;
}

export interface LocatedServer {
  /** What answers are marked with, where the server's own name would say too little. */
  readonly title?: string;
  readonly argv: readonly [string, ...string[]];
  readonly initializationOptions: unknown;
}

/**
 * How to start a server that is installed: in the project, else on PATH. To be asked for trusted folders only, since what
 * the project holds is a program of the project. Undefined where it is not there, or is not for this project.
 */
export async function locateServer(spec: ServerSpec, context: LocateContext): Promise<LocatedServer | undefined> {
  const { initializationOptions } = spec;
  if (spec.typescript === 'native') return locateNative(spec, context);
  const typescript = spec.typescript === undefined ? undefined : await projectTypescript(context);
  // It needs the `tsserver` of TypeScript up to 6, which 7 does not have.
  if (typescript !== undefined && typescript.major >= 7) return undefined;
  if (spec.typescript === 'compiler') {
    if (typescript === undefined) return undefined;
    const program = join(typescript.folder, 'lib', 'tsserver.js');
    const title = `tsserver of typescript ${typescript.version}`;
    return { argv: [context.node, program, ...spec.args], initializationOptions, title };
  }
  const program = findServerProgram(spec.command, context);
  if (program === undefined) return undefined;
  const argv = [program, ...spec.args] as const;
  if (typescript === undefined) return { argv, initializationOptions };
  const path = join(typescript.folder, 'lib', 'tsserver.js');
  return { argv, initializationOptions: withTsserver(initializationOptions, path) };
}

export interface InstalledTypescript {
  /** Absolute, canonical. */
  readonly folder: string;
  readonly version: string;
  readonly major: number;
}

/** The TypeScript that the project has installed. */
export async function projectTypescript({
  root,
  workspaceRoot,
}: Pick<LocateContext, 'root' | 'workspaceRoot'>): Promise<InstalledTypescript | undefined> {
  for (const folder of foldersUp(root, workspaceRoot)) {
    const found = await typescriptAt(join(folder, 'node_modules', 'typescript'));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function typescriptAt(folder: string): Promise<InstalledTypescript | undefined> {
  try {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const facts: unknown = JSON.parse(text);
    if (typeof facts !== 'object' || facts === null || !('name' in facts) || facts.name !== 'typescript')
      return undefined;
    if (!('version' in facts) || typeof facts.version !== 'string') return undefined;
    const { version } = facts;
    return { folder: await realpath(folder), version, major: Number.parseInt(version, 10) };
  } catch {
    return undefined;
  }
}

/** TypeScript from 7 on is its own server. */
async function locateNative(spec: ServerSpec, context: LocateContext): Promise<LocatedServer | undefined> {
  const { initializationOptions, args } = spec;
  const own = await projectTypescript(context);
  if (own !== undefined) {
    if (own.major < 7) return undefined;
    return { argv: [context.node, join(own.folder, 'bin', 'tsc'), ...args], initializationOptions };
  }
  const global = findProgram(spec.command, { path: context.path, notBelow: [context.workspaceRoot] });
  if (global === undefined) return undefined;
  const installed = await typescriptAt(dirname(dirname(global.real)));
  if (installed === undefined || installed.major < 7) return undefined;
  return { argv: [global.place, ...args], initializationOptions };
}

function findServerProgram(command: string, context: LocateContext): string | undefined {
  const { root, workspaceRoot, path } = context;
  if (isAbsolute(command)) return isExecutable(command) ? command : undefined;
  if (/[/\\]/.test(command)) {
    const place = resolve(workspaceRoot, command);
    return isExecutable(place) ? place : undefined;
  }
  for (const folder of foldersUp(root, workspaceRoot)) {
    const place = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? `${command}.cmd` : command);
    if (isExecutable(place)) return place;
  }
  return findProgram(command, { path, endings: process.platform === 'win32' ? ['.exe', '.cmd'] : [] })?.place;
}

/** From the inner folder to the outer one, both included. */
export function foldersUp(inner: string, outer: string): readonly string[] {
  if (!isWithin(inner, outer)) return [outer];
  const folders: string[] = [];
  for (let folder = inner; ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === outer || folder === dirname(folder)) return folders;
  }
}

function withTsserver(options: unknown, path: string): unknown {
  const given = typeof options === 'object' && options !== null ? options : {};
  const tsserver: unknown = Reflect.get(given, 'tsserver');
  return { ...given, tsserver: { ...(typeof tsserver === 'object' && tsserver !== null ? tsserver : {}), path } };
}
