/** A path as a JSON pointer (RFC 6901): `['edits', '0', 'path']` is `/edits/0/path`, the root is the empty string. */
export function toPointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The path of a location as the validator gives it: a URI fragment such as `#/a%20b/c`. */
export function parseLocation(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}
