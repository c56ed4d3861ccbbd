import { isAbsolute, join } from 'node:path';
import type { ExtensionPlace } from '../util/extension-place.js';
import type { SkillPlace } from './skill-types.js';

/** What a person decides about skills. */
export interface SkillSettings {
  /** The person trusts the folder: skills that came with it count. Default false. */
  readonly isTrusted?: boolean;
  /** `skills.directories`: more folders of the person's own, absolute or `~/…`. */
  readonly directories?: readonly string[];
  /** Folders of extensions that bring skills. */
  readonly extensions?: readonly ExtensionPlace[];
}

export interface SkillPlaceFacts extends SkillSettings {
  /** Canonical. */
  readonly roots: readonly string[];
  /** Tenon's own folder; undefined where there is none. */
  readonly home: string | undefined;
  readonly userHome: string | undefined;
}

/** Tenon's own first, then those of other agents, and the one that they share. */
const FOLDERS = ['.tenon', '.qwen', '.claude', '.agents'] as const;

/**
 * Where skills are looked for, in the order in which their names count: the person's own before the project's, so that no
 * project takes the place of what a person put there; Tenon's before those of others. Pure.
 */
export function skillPlaces({ roots, home, userHome, directories = [], extensions = [] }: SkillPlaceFacts): {
  readonly places: readonly SkillPlace[];
  readonly problems: readonly string[];
} {
  const user = (folder: string, label: string): SkillPlace => ({ folder, label, origin: 'user' });
  const ofHome = FOLDERS.slice(1).flatMap((name) =>
    userHome === undefined ? [] : [user(join(userHome, name, 'skills'), `~/${name}/skills`)],
  );
  const own = home === undefined ? [] : [user(join(home, 'skills'), '~/.tenon/skills')];
  const named = directories.map((written) => ({ written, folder: absoluteOf(written, userHome) }));
  const ofSetting = named.flatMap(({ written, folder }) =>
    folder === undefined ? [] : [{ ...user(folder, written), mayBeOne: true as const }],
  );
  const ofProject = roots.flatMap((within) =>
    FOLDERS.map((name): SkillPlace => {
      return { folder: join(within, name, 'skills'), label: `${name}/skills`, origin: 'project', within };
    }),
  );
  const brought = extensions.map(({ extension, folder, origin, within }): SkillPlace => {
    return { folder, label: `extension ${extension}`, origin, within };
  });
  const ofExtensions = (origin: SkillPlace['origin']) => brought.filter((place) => place.origin === origin);
  const known = new Map<string, SkillPlace>();
  // Started in the home folder, both are the same; then they are the person's own.
  for (const place of [
    ...own,
    ...ofHome,
    ...ofSetting,
    ...ofExtensions('user'),
    ...ofProject,
    ...ofExtensions('project'),
  ])
    if (!known.has(place.folder)) known.set(place.folder, place);
  const problems = named.flatMap(({ written, folder }) =>
    folder === undefined
      ? [`skills.directories names ${JSON.stringify(written)}, which is neither absolute nor begins with "~/".`]
      : [],
  );
  return { places: [...known.values()], problems };
}

function absoluteOf(written: string, userHome: string | undefined): string | undefined {
  if (isAbsolute(written)) return join(written);
  return written.startsWith('~/') && userHome !== undefined ? join(userHome, written.slice(2)) : undefined;
}
