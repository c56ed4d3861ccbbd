/** `NAME=value` lines as programs read them: quotes, `export`, comments, and quoted values over several lines. */
export function readEnvText(text: string): readonly (readonly [name: string, value: string])[] {
  const pattern =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})[ \t]*[=:][ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gms;
  return Array.from(text.matchAll(pattern), ([, name = '', double, single, back, plain = '']) => {
    if (double !== undefined) return [name, unescaped(double)] as const;
    return [name, single ?? back ?? withoutComment(plain).trim()] as const;
  });
}

/** A `#` at the beginning or behind a blank begins a comment. Found without going back: files are of any kind. */
function withoutComment(text: string): string {
  if (text.startsWith('#')) return '';
  const at = text.search(/[ \t]#/);
  return at === -1 ? text : text.slice(0, at);
}

function unescaped(text: string): string {
  const plain: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
  return text.replaceAll(/\\(.)/gs, (whole, char: string) => plain[char] ?? ('"\\$`'.includes(char) ? char : whole));
}

/** Whether a file of that name holds variables of an environment. Examples hold none that are true. */
export function isEnvFile(name: string): boolean {
  if (name === '.envrc' || name === '.dev.vars') return true;
  if (!/^(?:.{0,80}\.)?env(?:\.[\w.-]{1,80})?$/.test(name) || !/^\.env(?:\.|$)|\.env$/.test(name)) return false;
  return !/\.(?:examples?|samples?|template|tmpl|dist|default|defaults|schema|enc|encrypted|vault|md|ts|js|py|rb|go)$/i.test(
    name,
  );
}

/** Returns true if a file with that name holds values whose names mark them as secrets, or a private key. */
export function isSecretFile(name: string): boolean {
  return isEnvFile(name) || isKeyFile(name);
}

export function isKeyFile(name: string): boolean {
  return /\.(?:pem|key|p8)$|^id_(?:rsa|dsa|ecdsa|ed25519)$/i.test(name);
}

/** Returns the private keys of a file, without certificates and public keys beside them. */
export function readPrivateKeys(text: string): readonly (readonly [name: string, value: string])[] {
  const pattern = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----([A-Za-z0-9+/=\s]{1,40000})/g;
  return Array.from(text.matchAll(pattern), ([, body = '']) => ['PRIVATE_KEY', body] as const);
}
