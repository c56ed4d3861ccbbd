import { resolve } from 'node:path';
import type { Effect, PathEffect } from '../../effects/effect.js';
import type { ToolRuntime } from '../../runtime.js';
import { isObject } from '../../util/is-object.js';
import { realPath } from '../../util/real-path.js';

/**
 * Effects of what an author stated. Where a path leads and what a command does is found out here and never believed; what
 * cannot be understood is a doubt. Never throws for what is stated.
 */
export async function statedEffects(
  stated: unknown,
  toolName: string,
  runtime: ToolRuntime,
): Promise<readonly Effect[]> {
  if (!Array.isArray(stated)) return [doubt(toolName)];
  const effects = await Promise.all(stated.map(async (each: unknown) => effectsOf(each, toolName, runtime)));
  return effects.flat();
}

function doubt(toolName: string): Effect {
  return { kind: 'unknown', reason: `${toolName} states effects that nobody understands` };
}

async function effectsOf(stated: unknown, toolName: string, runtime: ToolRuntime): Promise<readonly Effect[]> {
  if (!isObject(stated)) return [doubt(toolName)];
  const { kind, path, url, command, reason, scope } = stated;
  switch (kind) {
    case 'read':
    case 'write':
    case 'delete':
      return typeof path === 'string' && path !== ''
        ? [{ kind, ...placed(path, runtime), ...(scope === 'tree' && { scope }) }]
        : [doubt(toolName)];
    case 'fetch': {
      const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
      return target === undefined || target.hostname === ''
        ? [doubt(toolName)]
        : [{ kind, host: target.hostname, url: target.href }];
    }
    case 'run':
      return typeof command === 'string' && command.trim() !== '' ? commandOf(command, runtime) : [doubt(toolName)];
    case 'ask':
      return [{ kind }];
    case 'unknown':
      return [{ kind, reason: typeof reason === 'string' ? reason : `${toolName} does not say what it does` }];
    default:
      return [doubt(toolName)];
  }
}

/** Where a path leads, whoever names it. */
export function placed(path: string, runtime: ToolRuntime): Pick<PathEffect, 'path' | 'requested' | 'zone'> {
  const asked = resolve(runtime.getTargetDir(), path);
  const gate = runtime.getWorkspaceGate();
  if (gate.check(asked) !== null) return { path: realPath(asked), requested: asked, zone: 'outside' };
  const { path: real, requested, zone } = gate.resolve(asked);
  return { path: real, requested, zone };
}

async function commandOf(command: string, runtime: ToolRuntime): Promise<readonly Effect[]> {
  // The analysis is large, and few tools run commands.
  const { readCommand, commandSurroundings } = await import('../read-command.js');
  const { path, zone } = runtime.getWorkspaceGate().resolve(runtime.getTargetDir());
  return readCommand(
    command,
    { directory: path, zone },
    {
      program: runtime.getShellOptions().program,
      surroundings: () =>
        commandSurroundings(runtime.getWorkspaceGate(), runtime.getChildEnvironment(), (folder) =>
          runtime.isTrustedRepository(folder),
        ),
    },
  );
}
