import path from 'node:path';
import {
  count,
  installExtension,
  nearestName,
  readExtensionFolder,
  uninstallExtension,
  type Extension,
  type FoundExtension,
} from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { usage } from '../changed-calls.js';
import { ExitCode } from '../exit-codes.js';
import { prepareSession } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

const FORM = '"tenon extensions" takes list, show NAME, check FOLDER, install FOLDER or uninstall NAME.';

/** `tenon extensions [list|show NAME|check FOLDER|install FOLDER|uninstall NAME] [--json]` */
export async function extensionsCommand(
  surroundings: Surroundings,
  [action = 'list', word, ...rest]: readonly string[],
  options: Options,
): Promise<ExitCode> {
  const isKnown = ['list', 'show', 'check', 'install', 'uninstall'].includes(action);
  if (!isKnown || rest.length > 0 || (word === undefined) !== (action === 'list')) throw usage(FORM);
  const { out, tenonHome, env: environment } = surroundings;
  const say = (value: unknown, text: string): Promise<unknown> =>
    options.json ? out.writeData(jsonText(value)) : out.write(safeBlock(text));
  const folder = path.resolve(surroundings.cwd ?? '/', word ?? '');
  switch (action) {
    case 'check': {
      const found = await readExtensionFolder(folder, surroundings.cwd ?? folder);
      await say(checkJson(found), checkText(found));
      return found.notes.length === 0 ? ExitCode.OK : ExitCode.UNEXPECTED;
    }
    case 'install': {
      const installed = await installExtension(folder, { tenonHome, environment });
      const found = await readExtensionFolder(installed.folder, surroundings.cwd ?? folder);
      const links = installed.leftOut === 0 ? '' : ` ${count(installed.leftOut, 'link')} in it not copied.`;
      await say(installed, `Installed ${installed.name} in ${installed.folder}.${links}\n${checkText(found)}`);
      return ExitCode.OK;
    }
    case 'uninstall': {
      const removed = await uninstallExtension(word ?? '', { tenonHome, environment });
      await say({ removed }, `Removed ${removed}.\n`);
      return ExitCode.OK;
    }
    default:
  }
  const { settings } = await prepareSession(surroundings, options);
  const { bundles } = settings.extensions;
  if (word === undefined) {
    await say(bundles, extensionsText(bundles));
    return ExitCode.OK;
  }
  const named = extensionsNamed(word, bundles);
  if (typeof named === 'string') throw usage(named);
  await say(named, named.map(extensionText).join('\n'));
  return ExitCode.OK;
}

/** Those of that name: one that is in use before others; or that there is none, with what may be meant. */
export function extensionsNamed(name: string, bundles: readonly Extension[]): readonly Extension[] | string {
  const found = bundles.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found.length > 0) return found;
  const meant = nearestName(
    name,
    bundles.map((each) => each.name),
  );
  return `There is no extension ${JSON.stringify(name)}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

export function extensionsText(bundles: readonly Extension[]): string {
  if (bundles.length === 0)
    return 'No extensions. `tenon extensions install FOLDER` takes one in; `tenon extensions check FOLDER` reads one.\n';
  return bundles
    .flatMap((each) => {
      const { name, version, description, state, why } = each;
      const about = description === undefined ? '' : `: ${description}`;
      const head = `${name}${version === undefined ? '' : ` ${version}`}${about} (${whoseOf(each)}, ${state})`;
      return [
        head,
        `  brings ${partsText(each)}`,
        ...(why === undefined ? [] : [`  ${why}`]),
        ...each.notes.map((note) => `  ${note}`),
      ];
    })
    .map((line) => `${line}\n`)
    .join('');
}

export function extensionText(extension: Extension): string {
  const { name, version, description, folder, manifest, state, why, brings, notes } = extension;
  const lines = [
    `${name}${version === undefined ? '' : ` ${version}`}${description === undefined ? '' : `: ${description}`}`,
    `${path.join(folder, manifest)} (${whoseOf(extension)}, ${state})`,
    ...(why === undefined ? [] : [why]),
    ...(['skills', 'agents', 'commands', 'tools'] as const).flatMap((part) =>
      brings[part] === undefined ? [] : [`${part}: ${brings[part]}`],
    ),
    ...listLine('servers', brings.servers),
    ...(brings.hooks ? ['hooks: hooks/hooks.json'] : []),
    ...listLine('context', brings.contextFiles),
    ...listLine('takes away', brings.excludeTools),
    ...notes,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function listLine(what: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${what}: ${items.join(', ')}`];
}

export function whoseOf({ origin }: Extension): string {
  return origin === 'user' ? 'yours' : 'of the project';
}

export function partsText({ brings }: Pick<Extension, 'brings'>): string {
  const { servers, hooks, contextFiles, excludeTools } = brings;
  const parts = [
    ...(['skills', 'agents', 'commands', 'tools'] as const).filter((part) => brings[part] !== undefined),
    ...(servers.length === 0 ? [] : [count(servers.length, 'server')]),
    ...(hooks ? ['hooks'] : []),
    ...(contextFiles.length === 0 ? [] : [count(contextFiles.length, 'context file')]),
  ];
  const less = excludeTools.length === 0 ? '' : `, takes away ${excludeTools.join(', ')}`;
  return `${parts.length === 0 ? 'nothing' : parts.join(', ')}${less}`;
}

function bringsOf({ parts, hooks, mcpServers, contextFiles, excludeTools }: FoundExtension): Extension['brings'] {
  return { ...parts, hooks: hooks !== undefined, servers: Object.keys(mcpServers), contextFiles, excludeTools };
}

function checkJson(found: FoundExtension): object {
  const { name, version, description, folder, manifest, notes } = found;
  return { name, version, description, folder, manifest, brings: bringsOf(found), notes };
}

function checkText(found: FoundExtension): string {
  const { name, version, notes } = found;
  const head = `${name}${version === undefined ? '' : ` ${version}`} brings ${partsText({ brings: bringsOf(found) })}.`;
  return [head, ...notes, ''].join('\n');
}
