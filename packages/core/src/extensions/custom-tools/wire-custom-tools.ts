import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { ToolNames } from '../../tools/tool-names.js';
import type { BaseTool } from '../../tools/tools.js';
import type { ToolFolder } from '../../trust/tool-files.js';
import { errorMessage } from '../../util/failure.js';
import type { GuardedStream } from './guard.js';

/** Tools that are modules in folders; they run in this process. */
export interface CustomToolOptions {
  readonly folders: readonly ToolFolder[];
  /** How long one file may take to load. In milliseconds; default 5 seconds. */
  readonly importMs?: number;
}

export interface WiredCustomTools {
  /** For the person: what could not be loaded, and why. */
  readonly notices: readonly string[];
  readonly close: () => Promise<void>;
}

interface Place {
  readonly config: Config;
  /** The project's own folder: logs. */
  readonly folder: string;
  readonly streams?: readonly GuardedStream[] | undefined;
  /** Told once something goes wrong behind a call. */
  readonly warn: (text: string) => void;
}

const IMPORT_MS = 5_000;
/** Also those that come later, or that are not offered here. */
const BUILT_IN: ReadonlySet<string> = new Set(Object.values(ToolNames));
const NOTHING: WiredCustomTools = { notices: [], close: async () => undefined };

/** Loads tools and registers them; where there are none nothing is loaded. Never throws. */
export async function wireCustomTools(options: CustomToolOptions | undefined, place: Place): Promise<WiredCustomTools> {
  if (options === undefined || options.folders.length === 0) return NOTHING;
  const [{ Guard }, { loadCustomTools }, { ToolLog }] = await Promise.all([
    import('./guard.js'),
    import('./load-custom-tools.js'),
    import('./tool-log.js'),
  ]);
  const { config, streams, warn } = place;
  const logs = new ToolLog(join(place.folder, 'logs'));
  const told = new Set<string>();
  const guard = new Guard({
    streams,
    wrote: (toolName, text) => logs.add('custom', 'info', `${toolName}: ${text}`),
    failed: (toolName, thrown) => {
      const text = `${toolName} failed behind its call, and nothing waits for it: ${errorMessage(thrown)}`;
      logs.add('custom', 'error', text);
      if (told.has(toolName)) return;
      told.add(toolName);
      warn(`The tool ${text}`);
    },
  });
  const registry = config.getToolRegistry();
  const { tools, problems } = await loadCustomTools({
    folders: options.folders,
    runtime: config,
    guard,
    isBuiltin: (name) => BUILT_IN.has(name) || registry.getTool(name) !== undefined,
    importMs: options.importMs ?? IMPORT_MS,
  });
  const notices = [...problems, ...registered(tools, registry)];
  return {
    notices,
    close: async () => {
      guard.close();
      await logs.close();
    },
  };
}

function registered(tools: readonly BaseTool[], registry: ReturnType<Config['getToolRegistry']>): string[] {
  return tools.flatMap((tool) => {
    try {
      registry.registerTool(tool);
      return [];
    } catch (thrown) {
      return [errorMessage(thrown)];
    }
  });
}
