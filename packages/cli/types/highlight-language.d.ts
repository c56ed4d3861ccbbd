import type { LanguageFn } from './highlight.js';

declare const parts: { readonly default: LanguageFn };
export = parts;
