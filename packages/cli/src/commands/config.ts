import { ruleText, safeText, SETTINGS, type ModelChoice, type SettingValues } from '@tenon/core';
import { missingForModel } from '../choose-model.js';
import { ExitCode } from '../exit-codes.js';
import { jsonText } from '../ui/json-line.js';
import type { InForce, Preparation } from '../prepare-session.js';
import type { Surroundings } from '../surroundings.js';
import { safeLine } from '../ui/safe-lines.js';

interface ConfigRow {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
  /** What the administrator allows at most, where the value in force is another. */
  readonly bound?: InForce<unknown>;
}

/** `tenon config [--json]`: every value in force and where it is from. A key is never shown, only whether there is one. */
export async function configCommand(
  { out, env, tenonHome }: Surroundings,
  preparation: Preparation,
  { choice, modelName, json }: { choice: ModelChoice | undefined; modelName: string | undefined; json: boolean },
): Promise<ExitCode> {
  const { values } = preparation.settings;
  const rows = [...modelRows(choice, values, modelName), ...sessionRows(preparation)].map((row) =>
    withPlace(row, preparation, modelName),
  );
  const missing = choice === undefined ? missingForModel(values, modelName, env) : [];
  const { files } = preparation.settings;
  const rules = preparation.rules.map((rule) => ({ list: rule.list, text: ruleText(rule), origin: rule.origin }));
  if (json) {
    await out.writeData(jsonText({ tenonHome, roots: preparation.roots, files, settings: rows, rules }));
    return ExitCode.OK;
  }
  const width = Math.max(...rows.map((row) => row.key.length));
  const lines = [
    ...preparation.roots.map((root) => `Workspace  ${root}`),
    ...files.map((file) => `Settings   ${file.file} (${file.layer}${file.found ? '' : ', not there'})`),
    '',
    ...rows.map((row) => `${row.key.padEnd(width)}  ${shown(row.value)}  (${row.origin}${boundText(row)})`),
    ...missing.map((sentence) => `No model comes of this: ${sentence}`),
    '',
    rules.length === 0 ? 'No permission rules.' : 'Permission rules',
    ...rules.map((rule) => `  ${rule.list.padEnd(5)}  ${rule.text}  (${rule.origin})`),
  ];
  for (const line of lines) await out.write(safeText`${safeLine(line)}\n`);
  return ExitCode.OK;
}

/** What is chosen; where nothing comes of the settings, what they say all the same. */
function modelRows(choice: ModelChoice | undefined, values: SettingValues, modelName: string | undefined): ConfigRow[] {
  const keyVariable = values['model.apiKeyEnv'];
  const name = choice?.model ?? (modelName === undefined ? undefined : { value: modelName, origin: 'settings' });
  const headers = choice?.headers ?? values['model.headers'];
  const command = values['model.apiKeyCommand'];
  return [
    settingRow('model.provider', choice?.provider ?? values['model.provider']),
    settingRow('model.name', name ?? values['model.name']),
    settingRow('model.baseUrl', choice?.baseUrl ?? values['model.baseUrl'], withoutSecrets),
    ...(keyVariable === undefined ? [] : [settingRow('model.apiKeyEnv', keyVariable)]),
    ...(command === undefined ? [] : [settingRow('model.apiKeyCommand', command)]),
    keyRow(choice, keyVariable?.value),
    ...(headers === undefined ? [] : [settingRow('model.headers', headers, withoutValues)]),
  ];
}

function keyRow(choice: ModelChoice | undefined, variable: string | undefined): ConfigRow {
  const key = 'model.apiKey';
  if (choice?.apiKeyCommand !== undefined)
    return { key, value: null, origin: 'printed by model.apiKeyCommand with the first request' };
  if (choice?.apiKey !== undefined) return settingRow(key, choice.apiKey, () => '(set)');
  return { key, value: null, origin: variable === undefined ? 'not set' : `environment ${variable}, which is not set` };
}

function settingRow<T>(
  key: string,
  found: InForce<T> | undefined,
  show: (value: T) => unknown = (value) => value,
): ConfigRow {
  if (found === undefined) return { key, value: null, origin: 'not set' };
  return { key, value: show(found.value), origin: found.origin };
}

/** A header may carry a key. */
function withoutValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).map((name) => `${name}: (hidden)`);
}

/** Those that `modelRows` shows. */
const MODEL_ROWS: ReadonlySet<string> = new Set(
  ['provider', 'name', 'baseUrl', 'apiKeyEnv', 'apiKeyCommand', 'headers'].map((name) => `model.${name}`),
);

/** Every setting with one value, but for the model's. */
function sessionRows({ settings, ...preparation }: Preparation): ConfigRow[] {
  const chosen: Readonly<Record<string, InForce<unknown> | undefined>> = {
    ...settings.values,
    approvalMode: preparation.approvalMode,
    'model.reasoningEffort': preparation.effort,
    'limits.maxTurns': preparation.maxTurns,
    'limits.maxToolCalls': preparation.maxToolCalls,
    'limits.maxSeconds': preparation.maxSeconds,
    'limits.maxCost': preparation.maxCost,
  };
  const managed: Readonly<Record<string, InForce<unknown> | undefined>> = settings.managed;
  const isListed = ({ key, type }: (typeof SETTINGS)[number]): boolean =>
    !MODEL_ROWS.has(key) &&
    !['rules', 'texts', 'named-objects', 'hook-groups'].includes(type) &&
    key !== 'mcp.serverCommand';
  const rows = SETTINGS.filter(isListed).map(({ key, default: byDefault }) => {
    const inForce = chosen[key] ?? {
      value: byDefault ?? null,
      origin: byDefault === undefined ? 'not set' : 'default',
    };
    const bound = managed[key];
    return { key, ...inForce, ...(bound !== undefined && bound.origin !== inForce.origin && { bound }) };
  });
  return [...rows, ...serverRows(settings)];
}

/** Names only: what is written of them may be secret. */
function serverRows({ extensions }: Preparation['settings']): ConfigRow[] {
  const used = extensions.servers.flatMap(({ alias, unused }) => (unused === undefined ? [alias] : []));
  const languages = Object.entries(extensions.languageServers);
  return [
    { key: 'mcpServers', value: used, origin: '`tenon mcp list` shows each' },
    {
      key: 'lsp.servers',
      value: languages.map(([name]) => name),
      origin: languages.map(([, { place }]) => place).join(', ') || 'not set',
    },
  ];
}

function boundText({ bound }: ConfigRow): string {
  return bound === undefined ? '' : `; never looser than ${JSON.stringify(bound.value)} of ${bound.origin}`;
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
