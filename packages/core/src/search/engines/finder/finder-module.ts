import { BYTE_FINDER_CODE } from './byte-finder-code.js';

/** What threads make an instance of. Whoever uses the library need not have types of WebAssembly. */
export type FinderModule = object;

interface Assembly {
  readonly Module: new (code: Uint8Array) => FinderModule;
}

/** What threads share. Undefined where Node or the processor has no vector instructions for WebAssembly. */
export const FINDER_MODULE: FinderModule | undefined = compiled();

function compiled(): FinderModule | undefined {
  try {
    const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: Assembly };
    return new assembly.Module(Buffer.from(BYTE_FINDER_CODE, 'base64'));
  } catch {
    // Everything is found without it, only later.
    return undefined;
  }
}
