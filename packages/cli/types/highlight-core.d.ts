import type { HLJSApi } from './highlight.js';

declare const parts: { readonly default: HLJSApi };
export = parts;
