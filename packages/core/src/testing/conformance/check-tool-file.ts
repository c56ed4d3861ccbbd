import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import { toolsIn } from '../../extensions/custom-tools/find-tools.js';
import { Guard } from '../../extensions/custom-tools/guard.js';
import { isBelow } from '../../tools/defined/is-below.js';
import { loadToolFile } from '../../extensions/custom-tools/load-custom-tools.js';
import type { BaseTool } from '../../tools/tools.js';
import { isObject } from '../../util/is-object.js';
import { createTempConfig } from '../temp-config.js';
import { checkTool } from './conformance-cases.js';
import type { ConformanceOptions, ConformanceResult } from './conformance-types.js';

export interface CheckedTool {
  readonly name: string;
  readonly cases: readonly ConformanceResult[];
}

export interface CheckedFile {
  /** Absolute. */
  readonly file: string;
  readonly tools: readonly CheckedTool[];
  /** Why something of the file is no tool. */
  readonly problems: readonly string[];
}

const IMPORT_MS = 5_000;

/**
 * Loads the tools of a file and examines each; the file runs in this process. What it exports as `conformance` is how they
 * are tried (`ConformanceOptions`), for all of them, or by the name of a tool. Never throws.
 */
export async function checkToolFile(path: string): Promise<CheckedFile> {
  const file = resolve(path);
  // The index of a folder is loaded from the folder of tools that this one lies in.
  const folder = /^index\.[^.]+$/.test(basename(file)) ? dirname(dirname(file)) : dirname(file);
  // What is printed while it is loaded must not come between the lines of whoever asked.
  const streams = [process.stdout, process.stderr];
  const guard = new Guard({ streams, wrote: () => undefined, failed: () => undefined });
  const temp = await createTempConfig();
  try {
    const given = { runtime: temp.config, guard, importMs: IMPORT_MS };
    const { tools, problems, exports } = await loadToolFile(
      { folder, path: relative(folder, file).split(sep).join('/') },
      given,
    );
    const checked: CheckedTool[] = [];
    for (const { name } of tools) {
      // Made anew for each call, with folders of its own.
      const make = (config: Config): BaseTool => toolNamed(name, toolsIn(exports, config).tools);
      const options = {
        ...optionsFor(name, exports['conformance']),
        ownFiles: (each: string) => isBelow(dirname(file), each),
      };
      checked.push({ name, cases: await checkTool(make, options) });
    }
    return { file, tools: checked, problems };
  } finally {
    guard.close();
    await temp.remove();
  }
}

function toolNamed(name: string, tools: readonly BaseTool[]): BaseTool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new TypeError(`The tool ${name} is not made a second time.`);
  return found;
}

function optionsFor(name: string, said: unknown): ConformanceOptions {
  if (!isObject(said)) return {};
  const own = said[name];
  return isObject(own) ? own : said;
}
