/** How a value looks where it was written in another way. Those that look as it does itself are left out; at least eight characters each. */
export function encodedForms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [
    // As it stands where bytes are taken for characters one by one.
    bytes.toString('latin1'),
    // In UTF-16 of either order: what stands before or behind it is left out.
    Buffer.from(value, 'utf16le').toString('latin1').slice(0, -1),
    ...jsonForms(value),
    ...urlForms(value),
    markupForm(value),
    quotedPrintable(bytes),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64Forms(bytes),
  ];
  return [...new Set(forms)].filter((form) => form !== value && form.length >= 8);
}

/** In a string of JSON, in one within a string, and with the letters outside ASCII escaped. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const slashed = once.replaceAll('/', String.raw`\/`);
  const ascii = once.replaceAll(
    /[^\0-\x7f]/g,
    (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [once, twice, slashed, ascii];
}

function urlForms(value: string): string[] {
  const strict = (text: string): string =>
    text.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const lower = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  // A lone half of a character cannot be encoded.
  const whole = value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  const plain = encodeURIComponent(whole);
  const forms = [plain, strict(plain), strict(plain).replaceAll('%20', '+'), encodeURI(whole)];
  return [...forms, ...forms.map(lower)];
}

function markupForm(value: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return value.replaceAll(/[&<>"']/g, (char) => names[char] ?? char);
}

function quotedPrintable(bytes: Buffer): string {
  const code = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return Array.from(bytes, (byte) =>
    byte === 0x3d || byte > 0x7e || byte < 0x20 ? code(byte) : String.fromCharCode(byte),
  ).join('');
}

/**
 * The characters of base64 that are the value's alone, for each of the three ways in which it can lie in what is encoded: those
 * at the borders depend on its neighbours as well.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
