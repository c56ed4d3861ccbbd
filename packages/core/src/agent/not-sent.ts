import { basename, dirname, resolve } from 'node:path';
import { QWEN_IGNORE } from '../files/ignore-stack.js';
import type { ToolRuntime } from '../runtime.js';
import { hiddenNames } from '../tools/hidden-names.js';
import { ToolNames } from '../tools/tool-names.js';
import { Failure } from '../util/failure.js';
import { nearestNames } from '../util/nearest-names.js';
import { withLines } from './mentions.js';

const MOST_TOLD = 5;
const MOST_NEAR = 2;
/** A shorter word is near to too much. */
const LEAST_LETTERS = 3;
/** No name of a file that a person writes without quotes; of code, addresses and resources it is. */
const NO_FILE = /[()<>=;,|&'"`{}:@$]/u;
/** So that `@app.get` of a program is none. */
const FILE_ENDING =
  /\.(?:[cm]?[jt]sx?|json[c5l]?|mdx?|txt|rst|adoc|py|ipynb|rs|go|java|kts?|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|lua|sh|bash|ps1|sql|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|less|vue|svelte|csv|tsv|log|pdf|png|jpe?g|gif|webp|svg|proto|tf|gradle|patch|diff)$/iu;

/**
 * Of words with `@` that are not sent, those that were meant as files: why each is not, in a sentence. Others are left out:
 * decorators, packages, addresses.
 */
export async function whyNotSent(mentions: readonly string[], config: ToolRuntime): Promise<readonly string[]> {
  const reasons: string[] = [];
  for (const mention of mentions) {
    const why = await reasonFor(mention, config);
    if (why !== undefined) reasons.push(`@${mention} was not sent: ${why}`);
  }
  const more = reasons.length - MOST_TOLD;
  return more > 0 ? [...reasons.slice(0, MOST_TOLD), `${more} more named with @ were not sent.`] : reasons;
}

async function reasonFor(mention: string, config: ToolRuntime): Promise<string | undefined> {
  if (NO_FILE.test(mention)) return undefined;
  const named = withLines(mention)?.path;
  if (named !== undefined) return reasonFor(named, config);
  const gate = config.getWorkspaceGate();
  const path = resolve(config.getTargetDir(), mention);
  const refusal = gate.check(path);
  if (refusal?.code === 'path_ignored') return `${QWEN_IGNORE.fileName} names it.`;
  if (refusal !== null) return isPath(mention) ? refusal.message : undefined;
  const names = await namesIn(dirname(path), config);
  const near = nearTo(basename(path), names ?? []);
  if (near.length > 0)
    return `there is no such file. Did you mean ${near.map((name) => beside(mention, name)).join(' or ')}?`;
  return isPath(mention) && !isPackage(mention, names !== undefined) ? 'there is no such file.' : undefined;
}

function isPath(mention: string): boolean {
  return mention.includes('/') || FILE_ENDING.test(mention);
}

/** `@scope/name`: there is no folder of that name, and it is no more than that. */
function isPackage(mention: string, hasFolder: boolean): boolean {
  return !hasFolder && !FILE_ENDING.test(mention) && /^[a-z\d][\w-]*\/[\w.-]+$/iu.test(mention);
}

/** That may be told; undefined where there is no such folder. */
async function namesIn(folder: string, config: ToolRuntime): Promise<readonly string[] | undefined> {
  const isWithheld = hiddenNames(config, ToolNames.READ_MANY_FILES);
  try {
    return await config.getWorkspaceGate().withFolder(folder, async (handle) => {
      const entries = await handle.list();
      return entries.map(({ name }) => name).filter((name) => !isWithheld(resolve(folder, name)));
    });
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

/** What it completes to, or was mistyped of. */
function nearTo(name: string, names: readonly string[]): readonly string[] {
  if (name.length < LEAST_LETTERS) return [];
  const begun = names.filter((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}.`));
  return (begun.length > 0 ? begun : nearestNames(name, names)).slice(0, MOST_NEAR);
}

function beside(mention: string, name: string): string {
  const path = `${mention.slice(0, mention.lastIndexOf('/') + 1)}${name}`;
  return /\s/u.test(path) ? `@"${path}"` : `@${path}`;
}
