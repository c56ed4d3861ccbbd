/** Whether a name is what a glob says: `*` is any run of characters, `?` is one, everything else itself. Takes no longer than glob × name. */
export function matchesNameGlob(glob: string, name: string): boolean {
  let [at, inGlob, star, retry] = [0, 0, -1, 0];
  while (at < name.length) {
    if (glob[inGlob] === '*') {
      star = inGlob;
      retry = at;
      inGlob += 1;
    } else if (glob[inGlob] === '?' || glob[inGlob] === name[at]) {
      inGlob += 1;
      at += 1;
    } else if (star >= 0) {
      inGlob = star + 1;
      retry += 1;
      at = retry;
    } else return false;
  }
  return /^\**$/.test(glob.slice(inGlob));
}
