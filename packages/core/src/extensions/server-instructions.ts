import { cleanText, cutBytes } from '../util/clean-text.js';

/** What one server says of the use of its tools. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
}

const LONGEST = 2048;

/** At most 2 KiB of each without what cannot be seen; none that could be taken for the end of its own words. */
export function cleanInstructions(
  servers: readonly { readonly alias: string; readonly instructions: string | undefined }[],
): readonly ServerInstructions[] {
  return servers
    .map(({ alias, instructions = '' }) => ({
      server: cleanText(alias, { strict: true }).text.replaceAll(/["<>\n]/g, '_'),
      text: cutBytes(
        cleanText(instructions.slice(0, 8 * LONGEST), { strict: true })
          .text.replaceAll(/<(?=\/?server\b)/gi, '&lt;')
          .trim(),
        LONGEST,
      ),
    }))
    .filter(({ text }) => text !== '');
}
