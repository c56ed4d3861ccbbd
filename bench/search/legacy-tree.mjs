// Sources of a time before UTF-8: code in ASCII, half of them with Russian comments (windows-1251), half with French ones (windows-1252).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, pick } from './random.mjs';

const FILES = 1_000;
const LINES = 150;
const RUSSIAN = 'в начале было слово функция возвращает значение если параметр не задан проверка ошибок'.split(' ');
const FRENCH = 'le été garçon après être déjà fenêtre où naïve élève à côté français première'.split(' ');
/** The letters of `а` to `я` stand in their order there as in Unicode. */
const toWindows1251 = (text) =>
  Buffer.from(
    Array.from(text, (letter) => (letter < '\x80' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x430 + 0xe0)),
  );

/** Makes it in `folder`, anew each time. */
export function makeLegacyTree(folder) {
  const random = createRandom(1);
  mkdirSync(folder, { recursive: true });
  for (let file = 0; file < FILES; file++) {
    const words = file % 2 === 0 ? RUSSIAN : FRENCH;
    const lines = Array.from({ length: LINES }, (_, line) => {
      const comment = Array.from({ length: 6 }, () => pick(random, words)).join(' ');
      return `    int x${line} = compute_value(${file}, ${line}); // ${comment}\n`;
    });
    const text = lines.join('');
    writeFileSync(join(folder, `unit${file}.c`), file % 2 === 0 ? toWindows1251(text) : Buffer.from(text, 'latin1'));
  }
  return folder;
}
