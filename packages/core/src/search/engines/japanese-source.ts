/**
 * A part of the threads' programs (JavaScript as text): whether there may be escape sequences of ISO-2022-JP in bytes, whose text then is
 * not what they look like. ripgrep looks for them by `ODD_BYTES`.
 */
export const JAPANESE_SOURCE = String.raw`
function turnsToJapanese(bytes) {
  const at = bytes.indexOf(27);
  return at !== -1 && bytes.indexOf('\x1b$', at) !== -1;
}
`;
