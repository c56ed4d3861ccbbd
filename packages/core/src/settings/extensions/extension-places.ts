import type { ExtensionPlace } from '../../util/extension-place.js';
import type { Extension } from './extension-types.js';

/** Where extensions that are not switched off have what is read; who reads it holds back what is not trusted. Pure. */
export function extensionPlaces(
  bundles: readonly Extension[],
  part: 'skills' | 'agents' | 'commands',
): readonly ExtensionPlace[] {
  return bundles.flatMap(({ name: extension, origin, real: within, state, brings }) => {
    const folder = brings[part];
    if (folder === undefined || (state !== 'used' && state !== 'withheld')) return [];
    return [{ extension, origin, folder, within }];
  });
}

/** Where extensions in use have context files, with their names. Pure. */
export function contextPlacesOf(
  bundles: readonly Extension[],
): readonly (ExtensionPlace & { readonly names: readonly string[] })[] {
  return bundles.flatMap(({ name: extension, origin, real, state, brings }) =>
    state === 'used' && brings.contextFiles.length > 0
      ? [{ extension, origin, folder: real, within: real, names: brings.contextFiles }]
      : [],
  );
}
