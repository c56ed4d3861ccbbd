import { safeText, SETTINGS, type ModelChoice } from '@tenon/core';
import { ExitCode } from '../exit-codes.js';
import { jsonText } from '../ui/json-line.js';
import type { Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { safeLine } from '../ui/safe-lines.js';

interface ConfigRow {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

/** `tenon config [--json]`: every value in force and where it is from. A key is never shown, only whether there is one. */
export async function configCommand(
  { out, tenonHome }: Surroundings,
  preparation: Preparation,
  { choice, modelName, json }: { choice: ModelChoice | undefined; modelName: string | undefined; json: boolean },
): Promise<ExitCode> {
  const rows = [...modelRows(choice), ...sessionRows(preparation)].map((row) => withPlace(row, preparation, modelName));
  const { files } = preparation.settings;
  const rules = preparation.rules.map(({ list, text, origin }) => ({ list, text, origin }));
  if (json) {
    await out.writeData(jsonText({ tenonHome, roots: preparation.roots, files, settings: rows, rules }));
    return ExitCode.OK;
  }
  const width = Math.max(...rows.map((row) => row.key.length));
  const lines = [
    ...preparation.roots.map((root) => `Workspace  ${root}`),
    ...files.map((file) => `Settings   ${file.file} (${file.layer}${file.found ? '' : ', not there'})`),
    '',
    ...rows.map((row) => `${row.key.padEnd(width)}  ${shown(row.value)}  (${row.origin})`),
    '',
    rules.length === 0 ? 'No permission rules.' : 'Permission rules',
    ...rules.map((rule) => `  ${rule.list.padEnd(5)}  ${rule.text}  (${rule.origin})`),
  ];
  for (const line of lines) await out.write(safeText`${safeLine(line)}\n`);
  return ExitCode.OK;
}

function modelRows(choice: ModelChoice | undefined): ConfigRow[] {
  const unset = (key: string): ConfigRow => ({ key, value: null, origin: 'not set' });
  if (choice === undefined) return ['model.provider', 'model.name', 'model.baseUrl', 'model.apiKey'].map(unset);
  const { provider, model, baseUrl, apiKey, headers } = choice;
  return [
    { key: 'model.provider', ...provider },
    model === undefined ? unset('model.name') : { key: 'model.name', ...model },
    baseUrl === undefined
      ? unset('model.baseUrl')
      : { key: 'model.baseUrl', value: withoutSecrets(baseUrl.value), origin: baseUrl.origin },
    apiKey === undefined ? unset('model.apiKey') : { key: 'model.apiKey', value: '(set)', origin: apiKey.origin },
    ...(headers === undefined
      ? []
      : [
          {
            key: 'model.headers',
            value: Object.keys(headers.value).map((name) => `${name}: (hidden)`),
            origin: headers.origin,
          },
        ]),
  ];
}

function sessionRows({ approvalMode, maxTurns, maxToolCalls }: Preparation): ConfigRow[] {
  const byDefault = (key: string): { value: unknown; origin: string } => ({
    value: SETTINGS.find((setting) => setting.key === key)?.default,
    origin: 'default',
  });
  return [
    { key: 'approvalMode', ...approvalMode },
    { key: 'limits.maxTurns', ...(maxTurns ?? byDefault('limits.maxTurns')) },
    { key: 'limits.maxToolCalls', ...(maxToolCalls ?? byDefault('limits.maxToolCalls')) },
  ];
}

/** The library knows only "settings"; here is known which file and line, or that it was the command line. */
function withPlace(row: ConfigRow, { settings }: Preparation, modelName: string | undefined): ConfigRow {
  if (row.origin !== 'settings') return row;
  if (row.key === 'model.name' && modelName !== undefined) return { ...row, origin: 'command line' };
  const found = Object.entries(settings.values).find(([key]) => key === row.key);
  return { ...row, origin: found?.[1].origin ?? row.origin };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An address may carry a password or a key in its query. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const url = new URL(address);
  const user = url.username === '' ? '' : '(hidden)@';
  const query = url.search === '' ? '' : '?(hidden)';
  return `${url.protocol}//${user}${url.host}${url.pathname}${query}`;
}
