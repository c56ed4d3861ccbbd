// How the command line's bundle is cut, so that what a run needs from its start is few files, and nothing else is in them.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const RELATIVE_SCRIPT = /^\.\.?\/.*\.js$/;
const FACE_IMPORT = /^import \{([^}]*)\} from '@tenon\/core';/gm;
const FACE_EXPORT = /^export \{([^}]*)\} from '(\.[^']+)';/gm;

/** `a, type B, c as d` without the types. */
function namesIn(list) {
  const names = list.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [theirs, ours = theirs] = name.split(' as ');
      return { theirs, ours };
    });
}

/**
 * Resolves the library to its sources. An import from its face becomes one from the files that the names are from:
 * through the face, whatever it names would be taken for needed wherever one name is.
 */
export function coreFromSources({ coreSource, cliSource }) {
  const face = path.join(coreSource, 'index.ts');
  const sourceOf = (folder, file) => path.resolve(folder, file).replace(/\.js$/, '.ts');
  // Every module of it only declares, so that an unused one may go.
  const declares = (file) => ({ path: file, sideEffects: false });
  return {
    name: 'core-from-sources',
    async setup(context) {
      const homes = new Map();
      for (const [, list, file] of (await readFile(face, 'utf8')).matchAll(FACE_EXPORT))
        for (const { theirs, ours } of namesIn(list))
          homes.set(ours, { name: theirs, file: sourceOf(coreSource, file) });
      const fromHome = ({ theirs, ours }) => {
        const home = homes.get(theirs);
        if (home === undefined) throw new Error(`@tenon/core exports no ${theirs}.`);
        return `import { ${home.name} as ${ours} } from ${JSON.stringify(home.file)};`;
      };
      context.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path: file }) => {
        if (!file.startsWith(cliSource + path.sep)) return undefined;
        const text = await readFile(file, 'utf8');
        const contents = text.replace(FACE_IMPORT, (_, list) => namesIn(list).map(fromHome).join(' '));
        return { contents, loader: 'ts' };
      });
      const faces = { '@tenon/core': face, '@tenon/core/testing': path.join(coreSource, 'testing', 'index.ts') };
      context.onResolve({ filter: /^@tenon\/core(\/testing)?$/ }, (request) => declares(faces[request.path]));
      context.onResolve({ filter: /\.ts$/ }, ({ path: file }) =>
        file.startsWith(coreSource + path.sep) ? declares(file) : undefined,
      );
      context.onResolve({ filter: RELATIVE_SCRIPT }, (request) =>
        request.importer.startsWith(coreSource + path.sep)
          ? declares(sourceOf(path.dirname(request.importer), request.path))
          : undefined,
      );
    },
  };
}

/**
 * esbuild puts modules into one file when the same parts, loaded one by one, need them: what a start needs would be in
 * dozens of files. So every part is said to need all that `roots` do, and all of that is in one file (two, when one root
 * leads to the others). It has been loaded by then, so that this costs nothing. Not so the parts that `withoutStart` tells.
 */
export function startInOneFile({ sources, roots, withoutStart }) {
  return {
    name: 'start-in-one-file',
    setup(context) {
      context.onResolve({ filter: RELATIVE_SCRIPT }, ({ kind, importer, path: requested }) => {
        if (kind !== 'dynamic-import' || !sources.some((folder) => importer.startsWith(folder + path.sep)))
          return undefined;
        const file = path.resolve(path.dirname(importer), requested).replace(/\.js$/, '.ts');
        return withoutStart(importer, file) ? undefined : { path: file, namespace: 'part' };
      });
      context.onLoad({ filter: /.*/, namespace: 'part' }, ({ path: file }) => ({
        contents: `import 'the:start';\nexport * from ${JSON.stringify(file)};`,
        resolveDir: path.dirname(file),
      }));
      context.onResolve({ filter: /^the:start$/ }, () => ({ path: 'start', namespace: 'start' }));
      context.onLoad({ filter: /.*/, namespace: 'start' }, () => ({
        contents: roots.map((file) => `import ${JSON.stringify(file)};`).join('\n'),
        resolveDir: path.dirname(roots[0]),
      }));
    },
  };
}
