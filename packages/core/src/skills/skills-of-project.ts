import { findSkillFiles } from './find-skill-files.js';
import { skillPlaces } from './skill-places.js';

/** Names of the skills that came with folders, by where they lie: nothing of them is read. @param roots canonical */
export async function skillsOfProject(roots: readonly string[]): Promise<readonly string[]> {
  const { places } = skillPlaces({ roots, home: undefined, userHome: undefined });
  const found = await Promise.all(
    places.filter(({ origin }) => origin === 'project').map((place) => findSkillFiles(place)),
  );
  return [...new Set(found.flatMap(({ candidates }) => candidates.map(({ folderName }) => folderName)))];
}
