// `glob` against `rg --files`, and `list_directory` against `readdir` with types.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareGlob } from './compare.mjs';
import { homeThatKnows, inFreshProcess, PREPARED_MS } from './fresh.mjs';
import { filesOf, ripgrep } from './ripgrep.mjs';
import { call, openSystem } from './tools.mjs';

const GLOB_REACH = 1.2;
/** Where what was seen before spares most of the looking. */
const GIT_REACH = 0.5;
const LIST_REACH = 2;
const MEMORY_REACH_MB = 300;

export async function globRows(report, context, place) {
  const inFolder = place.globFolder;
  const patterns = [
    { pattern: '**/*.ts', matches: (path) => path.endsWith('.ts'), folders: [] },
    { pattern: '**/*', matches: () => true, folders: [] },
    {
      pattern: `${inFolder}/**/*.ts`,
      matches: (path) => path.startsWith(`${inFolder}/`) && path.endsWith('.ts'),
      folders: [inFolder],
    },
  ];
  const all = await filesOf(place);
  for (const { pattern, matches, folders } of patterns) {
    const label = (kind) => `glob ${pattern}, ${kind} (${place.label})`;
    if (
      !['compared', 'first', 'first of a session', 'first, known project', 'repeated'].some((kind) =>
        report.wants(label(kind)),
      )
    )
      continue;
    const system = await openSystem({ ...context, root: place.root });
    try {
      const found = await compareGlob(system, pattern, { root: place.root, expected: all.filter(matches) });
      report.truth(label('compared'), found, `  ${found.total.toLocaleString('en-US')} files${found.more ?? ''}`);
      const check = (total) => {
        if (total === found.total) return;
        report.unsteady(label('again'), `${total} files, before ${found.total}`);
      };
      const race = {
        bare: async () => (await ripgrep(['--files', ...folders], place)).ms,
        baseline: `rg --files${folders.map((one) => ` ${one}`).join('')}`,
      };
      for (const [kind, reach] of [
        ['first', GLOB_REACH],
        ['first of a session', GLOB_REACH],
        ['first, known project', GLOB_REACH],
      ]) {
        if (!report.wants(label(kind))) continue;
        const isKnown = kind === 'first, known project';
        const known = isKnown ? await homeThatKnows(context, place.root) : undefined;
        if (isKnown && known === undefined) continue;
        const begins = kind === 'first of a session' ? PREPARED_MS : undefined;
        const request = { ...context, begins, root: place.root, tool: 'glob', args: { pattern } };
        await report.race(label(kind), {
          ...race,
          ours: async () => {
            const { first } = await inFreshProcess(
              known === undefined ? request : { ...request, home: known, keepsHome: true },
            );
            check(first.total);
            return first.ms;
          },
          reach,
          rounds: Math.min(5, report.runs),
        });
      }
      if (!report.wants(label('repeated'))) continue;
      const ours = async () => {
        const { ms, data } = await call(system, 'glob', { pattern });
        check(data.total);
        return ms;
      };
      await report.race(label('repeated'), { ...race, ours, reach: place.isGit ? GIT_REACH : GLOB_REACH });
    } finally {
      await system.close();
    }
  }
}

/** A folder of that many empty files, made unless it stands already. */
function makeEntries(folder, amount) {
  const last = join(folder, `entry-${amount - 1}.json`);
  if (existsSync(last)) return folder;
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < amount; index += 1)
    closeSync(openSync(join(folder, `entry-${index}.${index % 7 === 0 && index < amount - 1 ? 'md' : 'json'}`), 'w'));
  return folder;
}

export async function listRows(report, context, folder) {
  const label = 'list of 10,000 entries';
  if (!report.wants(label)) return;
  const root = makeEntries(join(folder, 'entries-10000'), 10_000);
  const system = await openSystem({ ...context, root });
  try {
    const entries = await readdir(root, { withFileTypes: true });
    await report.race(label, {
      ours: async () => {
        const { ms, data } = await call(system, 'list_directory', { path: root });
        checkTotals(report, label, data, entries.length);
        return ms;
      },
      bare: async () => {
        const startedAt = performance.now();
        await readdir(root, { withFileTypes: true });
        return performance.now() - startedAt;
      },
      baseline: 'readdir',
      reach: LIST_REACH,
      rounds: report.runs * 3,
      warmUps: 3,
    });
  } finally {
    await system.close();
  }
}

function checkTotals(report, name, { totals, entries }, expected) {
  const total = totals === undefined ? entries.length : totals.folders + totals.files;
  if (total !== expected) report.unsteady(name, `${total} entries, not ${expected}`);
}

/** A million entries, in memory where there is a file system for that. */
export async function millionRow(report, context) {
  const label = 'list of 1,000,000 entries';
  if (!report.wants(label)) return;
  const hasMemory = existsSync('/dev/shm') && statfsSync('/dev/shm').ffree > 1_100_000;
  const base = hasMemory ? '/dev/shm' : context.home;
  const root = join(base, `tenon-million-${process.pid}`);
  try {
    makeEntries(root, 1_000_000);
    const { first, peakMb } = await inFreshProcess({
      ...context,
      root,
      tool: 'list_directory',
      weighs: true,
      args: { path: root },
    });
    report.say(
      label,
      `${first.ms.toFixed(0).padStart(6)} ms, ${peakMb.toFixed(0)} MB above rest (reach ${MEMORY_REACH_MB})`,
      peakMb <= MEMORY_REACH_MB,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
