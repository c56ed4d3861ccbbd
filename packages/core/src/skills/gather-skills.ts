import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { stampOf } from '../files/file-versions.js';
import { isWithin } from '../util/paths-below.js';
import { canonicalPath } from '../util/real-path.js';
import { findSkillFiles, type SkillCandidate } from './find-skill-files.js';
import { parseSkill } from './parse-skill.js';
import { readSkill, refusalOf, type SkillReaderOptions } from './read-skill.js';
import type { FoundSkills, Skill, SkillPlace, SkillProblem, WithheldSkill } from './skill-types.js';

export interface GatherSkillsOptions extends SkillReaderOptions {
  readonly places: readonly SkillPlace[];
  readonly isTrusted: boolean;
  /** Canonical. */
  readonly roots: readonly string[];
  readonly userHome: string | undefined;
}

interface Known {
  readonly stamp: string;
  readonly read: ReadOne;
}

type ReadOne =
  { readonly skill: Skill; readonly digest: string; readonly faults: readonly string[] } | { readonly problem: string };

/** In all places together. */
const MOST_SKILLS = 1000;
const LONGEST_NAME = 80;

interface Gathering {
  readonly options: GatherSkillsOptions;
  /** By name, in lower case. */
  readonly skills: Map<string, Extract<ReadOne, { readonly skill: Skill }>>;
  readonly withheld: WithheldSkill[];
  readonly problems: SkillProblem[];
  readonly known: Map<string, Known>;
}

/** Skills as they lie on the disk; a file that did not change since is not read again. */
export class SkillGatherer {
  #known: ReadonlyMap<string, Known> = new Map();

  async gather(options: GatherSkillsOptions): Promise<FoundSkills> {
    const gathering: Gathering = { options, skills: new Map(), withheld: [], problems: [], known: new Map() };
    const { skills, withheld, problems, known } = gathering;
    for (const candidate of await this.#candidates(gathering)) await this.#take(candidate, gathering);
    this.#known = known;
    return { skills: [...skills.values()].map(({ skill }) => skill), withheld, problems };
  }

  /** Of all places, each folder once: it may be reached by several ways. */
  async #candidates({ options, problems }: Gathering): Promise<readonly SkillCandidate[]> {
    const places = new Set<string>();
    const candidates = new Map<string, SkillCandidate>();
    for (const place of options.places) {
      const folder = canonicalPath(place.folder);
      if (folder === undefined || places.has(folder)) continue;
      places.add(folder);
      const found = await findSkillFiles(place);
      if (mayRead(place, options)) problems.push(...found.problems);
      for (const each of found.candidates) if (!candidates.has(each.folder)) candidates.set(each.folder, each);
    }
    const all = [...candidates.values()];
    const [first] = all.slice(MOST_SKILLS);
    if (first === undefined) return all;
    const message = `There are more than ${MOST_SKILLS} skills: ${first.file} and what follows are left out.`;
    problems.push({ file: first.file, message });
    return all.slice(0, MOST_SKILLS);
  }

  async #take(candidate: SkillCandidate, gathering: Gathering): Promise<void> {
    const { options, skills, withheld, problems } = gathering;
    const { file, place, folderName } = candidate;
    if (!mayRead(place, options)) {
      withheld.push({ name: folderName.slice(0, LONGEST_NAME), file, label: place.label });
      return;
    }
    const { userHome } = options;
    if (userHome !== undefined && isWithin(canonicalPath(userHome) ?? userHome, candidate.folder)) {
      problems.push({ file, message: `${file} is no skill: its folder holds your home.` });
      return;
    }
    const read = await this.#read(candidate, gathering);
    if ('problem' in read) {
      problems.push({ file, message: `${file} is no skill: ${read.problem}.` });
      return;
    }
    const key = read.skill.name.toLowerCase();
    const first = skills.get(key);
    if (first === undefined) {
      skills.set(key, read);
      problems.push(...read.faults.map((fault) => ({ file, message: `${file}: ${fault}` })));
    } else if (first.digest !== read.digest) {
      const message = `${file} is not used: the skill ${first.skill.name} is ${first.skill.file}.`;
      problems.push({ file, message });
    }
  }

  async #read(candidate: SkillCandidate, { options, known }: Gathering): Promise<ReadOne> {
    const { file } = candidate;
    const real = canonicalPath(file);
    if (real === undefined) return { problem: 'it is a link that leads nowhere' };
    const refusal = refusalOf(candidate, real, options);
    if (refusal !== undefined) return { problem: refusal };
    const stamp = `${real}:${stampOfFile(real)}`;
    const before = this.#known.get(file);
    const read = before?.stamp === stamp ? before.read : await readOne(candidate, real, options);
    known.set(file, { stamp, read });
    return read;
  }
}

/** Nothing that came with a folder which nobody trusts is read. */
function mayRead({ origin }: SkillPlace, { isTrusted }: GatherSkillsOptions): boolean {
  return origin === 'user' || isTrusted;
}

async function readOne(candidate: SkillCandidate, path: string, options: GatherSkillsOptions): Promise<ReadOne> {
  const read = await readSkill(candidate, path, options);
  if (read.kind === 'refused') return { problem: read.why };
  const { text, real, bytes } = read;
  const parsed = await parseSkill(text, candidate.folderName);
  if ('problem' in parsed) return parsed;
  const { file, folder, place } = candidate;
  const isInside = options.roots.some((root) => isWithin(real, root));
  const skill: Skill = {
    ...parsed.head,
    origin: place.origin,
    label: place.label,
    file,
    real,
    folder,
    zone: isInside ? 'workspace' : 'skill',
    bytes,
    ...(place.within !== undefined && { within: place.within }),
  };
  return { skill, digest: createHash('sha256').update(text).digest('hex'), faults: parsed.faults };
}

/** Changes with every write to it; of what cannot be looked at it is another each time. */
function stampOfFile(path: string): string {
  try {
    return stampOf(statSync(path));
  } catch {
    return String(Math.random());
  }
}
