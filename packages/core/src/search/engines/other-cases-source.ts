/**
 * A part of a thread's program (JavaScript as text): whether a text in UTF-8 holds one of the only two characters beyond ASCII that
 * ripgrep takes for ASCII ones when it ignores case, the Kelvin sign and the long s.
 */
export const OTHER_CASES_SOURCE = String.raw`
const KELVIN = Buffer.from('\u212a'), LONG_S = Buffer.from('\u017f');

function holdsOtherCases(bytes) {
  return bytes.includes(KELVIN) || bytes.includes(LONG_S);
}
`;
