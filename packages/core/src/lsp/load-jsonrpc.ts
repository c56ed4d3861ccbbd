import type * as JsonRpc from 'vscode-jsonrpc/node';

/** Loaded when a server is started, and not before. */
export async function loadJsonRpc(): Promise<Omit<typeof JsonRpc, 'default'>> {
  // Of a CommonJS package a bundle has no other name.
  return (await import('vscode-jsonrpc/node')).default;
}
