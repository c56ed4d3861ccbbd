import { Failure } from '../util/failure.js';
import { plainValue } from './parse-settings-text.js';

/** Parses JSON, also with comments and trailing commas. @throws Failure `mcp_import` whose message names the line */
export async function parseJson(written: string): Promise<unknown> {
  const text = written.replace(/^\uFEFF/, '');
  try {
    // Some of these files hold megabytes that do not matter here.
    return JSON.parse(text);
  } catch {
    const { parseTree } = await import('jsonc-parser');
    const errors: { offset: number }[] = [];
    try {
      const root = parseTree(text, errors as Parameters<typeof parseTree>[1] & object, { allowTrailingComma: true });
      if (errors.length === 0 && root !== undefined) return plainValue(root);
    } catch {
      throw new Failure('mcp_import', 'it is nested too deeply');
    }
    const line = text.slice(0, errors[0]?.offset ?? 0).split('\n').length;
    throw new Failure('mcp_import', `line ${line} is not valid JSON`);
  }
}
