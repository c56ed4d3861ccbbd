import { writeSync } from 'node:fs';
import { digestOf, openFolderTrust } from '../packages/core/src/trust/folder-trust.js';
import { TrustStore } from '../packages/core/src/trust/trust-store.js';

/** Trusts one folder after the other until it is killed, and prints each when it was saved. */
const [, , home = '', name = ''] = process.argv;
const store = new TrustStore(home);
const content = name.repeat(2000);
for (let count = 0; ; count += 1) {
  const root = `/${name}/${count}`;
  await openFolderTrust(store, root, [{ id: 'a', digest: digestOf(content), lines: [content] }]).accept();
  writeSync(1, `${root}\n`);
}
