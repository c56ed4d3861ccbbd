// The licences of what is in the bundle: nearly all of them want to go with every copy, and the bundle keeps no comments.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the package that a module is of; undefined for one of this project. Pure. */
function packageFolder(input) {
  const parts = input.split('/');
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return undefined;
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

async function noticeOf(folder) {
  const {
    name,
    version,
    license = 'no licence named',
  } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const terms = texts.length === 0 ? ['(the package brings no licence text)'] : texts.map((text) => text.trim());
  return { title: `${name} ${version} (${license})`, text: terms.join('\n\n') };
}

/** One text with the licence of each package among the modules, by name; the same in every build of the same packages. */
export async function thirdPartyNotices(inputs, root) {
  const folders = [...new Set(inputs.flatMap((input) => packageFolder(input) ?? []))];
  const notices = await Promise.all(folders.map((folder) => noticeOf(path.join(root, folder))));
  const inOrder = notices.toSorted((left, right) => (left.title < right.title ? -1 : 1));
  const rule = '='.repeat(80);
  return [
    'The program holds code of these packages, each under its own licence.',
    ...inOrder.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text}`),
    '',
  ].join('\n\n');
}
