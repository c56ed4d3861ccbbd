import path from 'node:path';
import { loadAgentCatalogue, loadSettings, safeText, skillsOfProject, type LoadedSettings } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { settingsPlaces, type Surroundings } from '../surroundings.js';
import { foreignLine, unreadLines } from '../ui/foreign-view.js';
import { jsonText } from '../ui/json-line.js';
import { safeLine } from '../ui/safe-lines.js';
import { warn } from '../ui/say.js';
import { entryLines, type FolderTrust } from '../ui/trust-view.js';
import { workspaceRoots } from '../workspace-roots.js';

/** What is to be done; nothing of it: show. */
export interface TrustOptions {
  readonly yes?: true;
  readonly revoke?: true;
  readonly list?: true;
}

/** `tenon trust [--yes|--revoke|--list]`. Nothing of the folder is run, and nothing of it is changed. */
export async function trustCommand(surroundings: Surroundings, options: Options & TrustOptions): Promise<ExitCode> {
  const { yes, revoke, list } = options;
  if ([yes, revoke, list].filter((one) => one === true).length > 1) {
    throw new ExitFailure(ExitCode.USAGE, 'Of --yes, --revoke and --list only one goes at a time.');
  }
  // What the agent runs is marked so. Whoever is asked about a command should not decide about the folder by that.
  if ((yes === true || revoke === true) && (surroundings.env['TENON'] ?? '') !== '') {
    throw new ExitFailure(ExitCode.USAGE, 'Only a person decides about trust: run this in a terminal of your own.');
  }
  const roots = await workspaceRoots(surroundings.cwd, options.cwd, []);
  const load = async () => loadSettings(settingsPlaces(surroundings, roots[0]));
  const loaded = await load();
  let { trust } = loaded;
  const fatal = loaded.problems.flatMap(({ severity, message }) => (severity === 'fatal' ? [message] : []));
  if (yes === true && fatal.length > 0) throw new ExitFailure(ExitCode.SETTINGS, fatal.join('\n'));
  await warn(surroundings.err, [...fatal, ...(trust.problem === undefined ? [] : [trust.problem])]);
  if (list === true) return listFolders(surroundings, trust, options.json);
  if (yes === true) await trust.accept();
  if (revoke === true) await trust.revoke();
  if (yes === true || revoke === true) ({ trust } = await load());
  return showFolder(surroundings, { ...loaded, trust }, options.json);
}

/** What of it models would be told, by name; relative to the folder. */
async function broughtBy({ root }: FolderTrust, { userHome, tenonHome }: Surroundings) {
  const skills = await skillsOfProject([root]);
  const { withheld } = await loadAgentCatalogue({ roots: [root], userHome, tenonHome, isTrusted: false });
  return { skills, agents: withheld.map((file) => path.relative(root, file)) };
}

async function listFolders({ out }: Surroundings, trust: FolderTrust, json: boolean): Promise<ExitCode> {
  const folders = [...trust.list()].map(([root, { decision, time }]) => ({ root, decision, time }));
  if (json) await out.writeData(jsonText(folders));
  else if (folders.length === 0) await out.write(safeText`Nothing was decided about any folder.\n`);
  else {
    for (const { root, decision, time } of folders)
      await out.write(safeText`${safeLine(`${decision.padEnd(7)}  ${time}  ${root}`)}\n`);
  }
  return ExitCode.OK;
}

async function showFolder(
  surroundings: Surroundings,
  { trust, foreign }: Pick<LoadedSettings, 'trust' | 'foreign'>,
  json: boolean,
): Promise<ExitCode> {
  const { out } = surroundings;
  const { root, decision, entries, isOpen } = trust;
  const isNew = entries.some(({ state }) => state === 'new' || state === 'changed');
  const repository = trust.repository();
  const { skills, agents } = await broughtBy(trust, surroundings);
  if (json) {
    const ofOthers = { skills, agents, repository: repository ?? null, foreign };
    await out.writeData(jsonText({ root, decision, isOpen, entries, ...ofOthers }));
    return ExitCode.OK;
  }
  const lines = [
    `${root}: ${DECISIONS[decision]}`,
    ...(entries.length + skills.length + agents.length === 0
      ? ['It says nothing that would count only in a trusted folder.']
      : []),
    ...entries.flatMap(entryLines).map((line) => `  ${line}`),
    ...(skills.length === 0 ? [] : [`  Skills, which the model may follow: ${skills.join(', ')}`]),
    ...(agents.length === 0 ? [] : [`  Agents, to which work may be handed: ${agents.join(', ')}`]),
    ...repositoryLines(trust, repository),
    ...(isNew || decision !== 'trusted' ? ['`tenon trust --yes` trusts the folder with this.'] : []),
    ...[foreignLine(foreign) ?? []].flat(),
    ...unreadLines(foreign).map((line) => `  ${line}`),
  ];
  for (const line of lines) await out.write(safeText`${safeLine(line)}\n`);
  return ExitCode.OK;
}

const DECISIONS: Readonly<Record<FolderTrust['decision'], string>> = {
  trusted: 'trusted. `tenon trust --revoke` takes that back.',
  refused: 'not trusted, you said no. `tenon trust --revoke` forgets that.',
  undecided: 'not trusted, nothing was decided yet.',
};

function repositoryLines({ root }: FolderTrust, repository: ReturnType<FolderTrust['repository']>): readonly string[] {
  if (repository === undefined) return [];
  const { top, reasons, forLooking, hooks, isTrusted } = repository;
  const place = top === root ? 'its git repository' : `the git repository of ${top}`;
  const others = reasons.filter((reason) => !forLooking.includes(reason));
  const more = [
    ...others.map((reason) => `  Other commands of git may obey: ${reason}`),
    ...(hooks.length === 0 ? [] : [`  Hooks, which git runs when it changes something: ${hooks.join(', ')}`]),
  ];
  if (forLooking.length > 0) {
    const head = `Commands that look into ${place} are asked about, trusted or not, because git may start programs or look elsewhere:`;
    return [head, ...forLooking.map((reason) => `  ${reason}`), ...more];
  }
  const isFree = top === root || isTrusted;
  const when = `go without a question${isFree ? '' : ` once that folder is trusted (--cwd ${top})`}`;
  return [`Commands that only look into ${place} (git status, git log, git diff) ${when}.`, ...more];
}
