/**
 * The file itself for a page of GitHub that shows one; undefined for other addresses.
 * `https://github.com/o/r/blob/main/a.ts` → `https://raw.githubusercontent.com/o/r/main/a.ts`.
 */
export function rawOfGitHub(url: URL): URL | undefined {
  if (url.hostname === 'gist.github.com') return rawOfGist(url);
  if (url.protocol !== 'https:' || url.port !== '') return undefined;
  if (url.hostname !== 'github.com' && url.hostname !== 'www.github.com') return undefined;
  const [, owner, name, way, ...rest] = url.pathname.split('/');
  if (owner === undefined || name === undefined || way !== 'blob' || rest.length < 2) return undefined;
  return new URL(`https://raw.githubusercontent.com/${owner}/${name}/${rest.join('/')}`);
}

/** `https://gist.github.com/user/0a1b…` → its first file. */
function rawOfGist({ pathname }: URL): URL | undefined {
  const [, user, id] = /^\/([\w-]+)\/([0-9a-f]{20,40})\/?$/.exec(pathname) ?? [];
  return id === undefined ? undefined : new URL(`https://gist.githubusercontent.com/${user}/${id}/raw`);
}
