import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, systemErrorCode } from '../util/failure.js';
import { mergeLayers, type SettingsLayer, type SettingValues } from './merge-layers.js';
import { parseSettingsText, type SettingEntry, type SettingsProblem } from './parse-settings-text.js';
import type { Rule } from '../policy/rule.js';

export interface SettingsPlaces {
  /** Tenon's own folder; its `settings.json` is the user's. */
  readonly tenonHome: string;
  /** The first workspace root; its `.tenon/settings.json` is the project's. */
  readonly projectRoot: string;
}

export interface SettingsFile {
  readonly layer: 'user' | 'project';
  readonly file: string;
  readonly found: boolean;
}

export interface LoadedSettings {
  readonly values: SettingValues;
  readonly rules: readonly Rule[];
  readonly files: readonly SettingsFile[];
  /** With a `fatal` one the caller must not go on: something security-relevant may be missing above. */
  readonly problems: readonly SettingsProblem[];
}

// Far above any settings file that a person wrote.
const MAX_BYTES = 1_000_000;

/** Reads the user's and the project's settings. A file that is not there is no problem; never throws. */
export async function loadSettings(places: SettingsPlaces): Promise<LoadedSettings> {
  const userFile = path.join(places.tenonHome, 'settings.json');
  const projectFile = path.join(places.projectRoot, '.tenon', 'settings.json');
  const candidates: { readonly layer: SettingsLayer['layer']; readonly file: string }[] = [
    { layer: 'user', file: userFile },
  ];
  // Started in the home folder, both names mean one file: it is the user's, and counts once.
  if (!(await isSameFile(userFile, projectFile))) candidates.push({ layer: 'project', file: projectFile });

  const layers: SettingsLayer[] = [];
  const files: SettingsFile[] = [];
  const problems: SettingsProblem[] = [];
  for (const { layer, file } of candidates) {
    const read = await readSettingsFile(file);
    files.push({ layer, file, found: read !== undefined });
    if (read === undefined) continue;
    layers.push({ layer, file, entries: read.entries });
    problems.push(...read.problems);
  }
  const merged = mergeLayers(layers);
  return { values: merged.values, rules: merged.rules, files, problems: [...problems, ...merged.problems] };
}

interface FileReading {
  readonly entries: readonly SettingEntry[];
  readonly problems: readonly SettingsProblem[];
}

/** Undefined when there is no such file. A file that is there but cannot be read may have held a deny rule: fatal. */
async function readSettingsFile(file: string): Promise<FileReading | undefined> {
  try {
    const bytes = await readSmallFile(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const parser = await import('jsonc-parser');
    return parseSettingsText(text, file, parser);
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    // A missing folder and a file in place of the folder both mean: no settings here.
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && !(await isLink(file))) return undefined;
    return { entries: [], problems: [{ severity: 'fatal', message: `${file}: ${cause(thrown, code)}` }] };
  }
}

async function readSmallFile(file: string): Promise<Buffer> {
  // O_NONBLOCK: a FIFO of that name must not hang the start.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('is not a regular file. Move it away.');
    if (stats.size > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes. Make it smaller.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** A link that leads nowhere was put there for settings that are gone now: not the same as none. */
async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

function cause(thrown: unknown, code: string | undefined): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is a link that leads nowhere. Mend it, or remove it.';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'is not UTF-8 text. Save it as UTF-8.';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read. Give yourself read permission, or move it away.';
  if (code === 'ELOOP') return 'is a link that leads in a circle. Move it away.';
  return code === undefined ? errorMessage(thrown) : `cannot be read (${code}).`;
}

async function isSameFile(left: string, right: string): Promise<boolean> {
  if (path.resolve(left) === path.resolve(right)) return true;
  try {
    return (await realpath(left)) === (await realpath(right));
  } catch {
    return false;
  }
}
