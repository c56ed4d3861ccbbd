import { lutimes } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Effect } from '../../effects/effect.js';
import { DefinedTool } from '../../tools/defined/defined-tool.js';
import { isDefinition } from '../../tools/defined/tool-definition.js';
import { isBelow } from '../../tools/defined/is-below.js';
import type { Config } from '../../config/config.js';
import type { FileChanges } from '../../files/file-changes.js';
import { minimalExample } from '../../schema/example.js';
import { isJsonObject } from '../../schema/json-value.js';
import { BaseTool, type ToolInvocation, type ToolResult } from '../../tools/tools.js';
import { realPath } from '../../util/real-path.js';
import { createTempConfig } from '../temp-config.js';
import { createTempWorkspace } from '../temp-workspace.js';
import type { ConformanceOptions, ConformancePlace, ToolSubject } from './conformance-types.js';
import { Observer, type Seen } from './observer.js';
import { changesBetween, pictureOf, type TreeChange, type TreePicture } from './tree-picture.js';

export type Invocation = ToolInvocation<object, ToolResult>;

/** Folders, a tool, and eyes on what it does: for one call, or for some that belong together. */
export interface Bench extends ConformancePlace {
  readonly tool: BaseTool;
  /** Copies, anew each time that it is asked for. */
  readonly examples: () => object[];
  readonly observer: Observer;
  readonly picture: () => Promise<TreePicture>;
  readonly changesSince: (before: TreePicture) => Promise<readonly TreeChange[]>;
  /** Paths whose reading need not be stated. */
  readonly isOwn: (path: string) => boolean;
  /** Those whose change need not be. */
  readonly isKeptForIt: (path: string) => boolean;
  /** Command lines whose start need not be. */
  readonly isOwnProgram: (line: string) => boolean;
}

/** What happened to one call. */
export interface Attempt {
  /** What it resolved to, whatever that is; undefined where it threw, or never ended. */
  readonly returned?: unknown;
  readonly thrown?: unknown;
  readonly isEnded: boolean;
  readonly ms: number;
  readonly seen: readonly Seen[];
}

const CALL_MS = 30_000;

/** Where this library's own code is. */
const LIBRARY = fileURLToPath(new URL('../../../', import.meta.url));
/** What every program of a system reads, through whatever library. */
const SYSTEM =
  /^\/(?:proc|sys|dev)(?:\/|$)|^\/etc\/(?:resolv\.conf|hosts|nsswitch\.conf|localtime|ssl\/.*|host\.conf|gai\.conf)$|^\/usr\/(?:share\/zoneinfo|lib\/ssl)\//;

/** They say what is to be left alone. */
const IGNORE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.qwenignore', '.ignore']);

export async function withBench<T>(
  subject: ToolSubject,
  options: ConformanceOptions,
  use: (bench: Bench) => Promise<T>,
): Promise<T> {
  const { entries = {}, prepare, config: given = {}, ownFiles = () => false, ownPrograms = () => false } = options;
  const outside = await createTempWorkspace({ 'secret.txt': 'none of its business\n' });
  const temp = await createTempConfig({ ...given, entries });
  const observer = new Observer();
  try {
    const { config, workspace } = temp;
    const place = { config, root: workspace.root, outside: outside.root };
    await sameTimes(workspace.root);
    await prepare?.(place);
    withoutServices(config, observer);
    const tool = toolOf(subject, config);
    const folders = [workspace.root, outside.root];
    const isIn = (some: readonly string[], path: string): boolean =>
      some.some((folder) => path === folder || isBelow(realPath(folder), path));
    const kept = [temp.temp.root, temp.journalDir];
    return await use({
      ...place,
      tool,
      observer,
      examples: () => [...structuredClone(examplesOf(tool, options, place))],
      picture: async () => pictureOf(folders),
      changesSince: async (before) => changesBetween(before, await pictureOf(folders)),
      isOwn: (path) =>
        isIn([...kept, LIBRARY], path) || ownFiles(path) || isSystem(path) || (isPackage(path) && !isIn(folders, path)),
      isKeptForIt: (path) => path === devNull || isIn(kept, path),
      // That of a command that the library runs.
      isOwnProgram: (line) => ownPrograms(line) || line.startsWith(`mkfifo -m 600 ${join(temp.temp.root, 'pipe-')}`),
    });
  } finally {
    observer.close();
    await temp.remove();
    await outside.remove();
  }
}

/** All of one age: what is told newest first is told in the same order each time. */
async function sameTimes(root: string): Promise<void> {
  const now = new Date();
  for (const path of (await pictureOf([root])).keys()) await lutimes(path, now, now);
}

/** How changes are made is this library's affair; that they are made is seen in the folders, and what runs meanwhile is the tool's. */
function withoutServices(config: Config, observer: Observer): void {
  const changes = config.getFileChanges();
  const aside: FileChanges = {
    apply: (...given) => observer.aside(async () => changes.apply(...given)),
    watch: (run, ...more) => {
      const resume = observer.resuming();
      return observer.aside(async () => changes.watch(async () => resume(run), ...more));
    },
    catchUp: () => observer.aside(async () => changes.catchUp()),
    ...(changes.refuse !== undefined && { refuse: changes.refuse.bind(changes) }),
  };
  Object.defineProperty(config, 'getFileChanges', { value: () => aside });
}

function isSystem(path: string): boolean {
  return SYSTEM.test(path) || IGNORE_FILES.has(basename(path));
}

/** Code that the tool is made of. */
function isPackage(path: string): boolean {
  return path.split(sep).includes('node_modules');
}

function toolOf(subject: ToolSubject, config: Config): BaseTool {
  if (isDefinition(subject)) return new DefinedTool(subject, config);
  return isClass(subject) ? new subject(config) : subject(config);
}

function isClass(make: object): make is new (config: Config) => BaseTool {
  return Reflect.get(make, 'prototype') instanceof BaseTool;
}

function examplesOf(tool: BaseTool, { examples }: ConformanceOptions, place: ConformancePlace): readonly object[] {
  if (examples !== undefined) return typeof examples === 'function' ? examples(place) : examples;
  if (tool instanceof DefinedTool && tool.examples.length > 0) return tool.examples;
  const { schema } = tool;
  const declared = isJsonObject(schema) ? schema['examples'] : undefined;
  if (Array.isArray(declared) && declared.length > 0) return declared.filter(isJsonObject);
  try {
    const shortest = minimalExample(tool.readySchema.open());
    return isJsonObject(shortest) ? [shortest] : [];
  } catch {
    return [];
  }
}

export interface AttemptOptions {
  readonly signal?: AbortSignal;
  /** In milliseconds. */
  readonly limit?: number | undefined;
  readonly update?: (output: unknown) => void;
}

/** Runs an invocation to its end, or to the limit. Never throws. */
export async function attempt(
  bench: Pick<Bench, 'observer'>,
  invocation: Invocation,
  { signal = new AbortController().signal, limit = CALL_MS, update = () => undefined }: AttemptOptions = {},
): Promise<Attempt> {
  const seen: Seen[] = [];
  const startedAt = performance.now();
  const ms = (): number => performance.now() - startedAt;
  const running = (async (): Promise<Attempt> => {
    try {
      const returned: unknown = await bench.observer.run(
        (each) => seen.push(each),
        () => invocation.execute(signal, update),
      );
      return { returned, isEnded: true, ms: ms(), seen };
    } catch (thrown) {
      return { thrown, isEnded: true, ms: ms(), seen };
    }
  })();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Attempt>((resolve) => {
    timer = setTimeout(() => resolve({ isEnded: false, ms: ms(), seen }), limit);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}

/** Undefined where the parameters are refused, or the tool breaks down over them: other cases tell of that. */
export function built(tool: BaseTool, params: object): Invocation | undefined {
  try {
    return tool.build(params);
  } catch {
    return undefined;
  }
}

/** What the call says it would do; without a word, anything. Never throws. */
export async function statedBy(tool: BaseTool, invocation: Invocation): Promise<readonly Effect[]> {
  const unknown: Effect = { kind: 'unknown', reason: `${tool.name} does not state its effects` };
  try {
    const stated: unknown = await invocation.effects?.();
    return Array.isArray(stated) ? (stated as readonly Effect[]) : [unknown];
  } catch {
    return [unknown];
  }
}
