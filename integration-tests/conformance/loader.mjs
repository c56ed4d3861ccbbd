// The conformance suite takes `globSync` from node:fs, which Node 20 does not have. None of what is used here calls it.
import { register } from 'node:module';

register('./loader-hooks.mjs', import.meta.url);
