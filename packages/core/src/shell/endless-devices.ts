/** Matches devices without an end: reading one never finishes. */
export const ENDLESS_DEVICE = /^\/dev\/(?:zero|full|u?random)$/;

/** Options that make a program read only a part of its input. */
const TAKES_PART: ReadonlyMap<string, RegExp> = new Map([
  ['head', /^-\w*c|^--b/],
  ['od', /^-\w*N|^--read/],
  ['hexdump', /^-\w*n|^--len/],
  ['xxd', /^-\w*l/],
  ['dd', /^count=/],
]);

/** Returns true if a command takes a fixed number of bytes and ends, so that its writer ends too. */
export function takesPart([program = '', ...words]: readonly string[]): boolean {
  const part = TAKES_PART.get(program.slice(program.lastIndexOf('/') + 1));
  return part !== undefined && words.some((word) => part.test(word));
}
