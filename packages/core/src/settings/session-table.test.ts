import { describe, expect, it } from 'vitest';
import { checkValue } from './check-value.js';
import { mergeLayers, type MergedSettings, type SettingsLayer } from './merge-layers.js';
import type { SettingEntry } from './parse-settings-text.js';
import { findSetting, type SettingKey } from './schema.js';

const typeOf = (key: SettingKey) => findSetting(key)?.type ?? 'text';
const expected = (key: SettingKey, value: unknown): string => {
  const checked = checkValue(typeOf(key), value);
  return checked.ok ? 'accepted' : checked.expected;
};

describe('values of a session’s settings', () => {
  it.each([
    ['context.compactAt', 0],
    ['context.compactAt', 1],
    ['limits.maxCost', 0.05],
    ['model.prices', { input: 3, output: 15 }],
    ['model.prices', { input: 0, output: 0, cachedInput: 0 }],
    ['ui.keys', { openCall: 'ctrl+o', cancel: ['escape', 'ctrl+c'], nothing: [] }],
    ['ui.theme', 'high-contrast'],
    ['ui.diff', 'side-by-side'],
  ] as const)('%s takes %j', (key, value) => {
    expect(checkValue(typeOf(key), value)).toEqual({ ok: true, value });
  });

  it.each([
    ['context.compactAt', 80, 'a number from 0 to 1, not 80'],
    ['context.compactAt', -0.1, 'a number from 0 to 1, not -0.1'],
    ['limits.maxCost', 0, 'a number above 0, not 0'],
    ['limits.maxCost', '5', 'a number above 0, not "5"'],
    ['limits.maxSeconds', 1.5, 'a whole number above 0, not 1.5'],
    ['model.prices', 3, 'this is 3'],
    ['model.prices', { input: 3 }, '"output" is missing'],
    ['model.prices', { input: 3, output: 15, cached: 1 }, '"cached" is none of them'],
    ['model.prices', { input: 3, output: -1 }, 'each must be a number that is not below 0'],
    ['ui.keys', ['ctrl+o'], 'this is a list'],
    ['ui.keys', { openCall: 7 }, '"openCall" has 7'],
    ['ui.keys', { openCall: ['x', 7] }, '"openCall" has a list with something else'],
    ['ui.theme', '../dark', 'the name of a theme'],
  ] as const)('%s does not take %j', (key, value, words) => {
    expect(expected(key, value)).toContain(words);
  });
});

describe('a session’s settings in a project’s file', () => {
  const layerOf = (layer: SettingsLayer['layer'], values: Record<string, unknown>): SettingsLayer => ({
    layer,
    file: `/${layer}.json`,
    entries: Object.entries(values).map(([key, value]) => ({ key, value, at: '1:1' }) as SettingEntry),
  });
  const merged = (user: Record<string, unknown>, project: Record<string, unknown>): MergedSettings =>
    mergeLayers([layerOf('user', user), layerOf('project', project)]);

  it('may only lower what a prompt may use', () => {
    const { values, problems } = merged({ 'limits.maxCost': 2 }, { 'limits.maxCost': 1, 'limits.maxSeconds': 60 });
    expect(values['limits.maxCost']?.value).toBe(1);
    expect(values['limits.maxSeconds']?.value).toBe(60);
    expect(problems).toEqual([]);
    const looser = merged({ 'limits.maxCost': 2 }, { 'limits.maxCost': 3 });
    expect(looser.values['limits.maxCost']?.value).toBe(2);
    expect(looser.problems[0]?.message).toContain('a project may tighten, not loosen');
  });

  it.each([
    ['model.prices', { input: 0, output: 0 }],
    ['ui.keys', { approve: 'enter' }],
    ['ui.editor', 'rm -rf .'],
    ['ui.theme', 'light'],
    ['ui.bell', true],
  ])('never counts: %s', (key, value) => {
    const { values, problems } = merged({}, { [key]: value });
    expect(values).toEqual({});
    expect(problems).toHaveLength(1);
  });

  it('shows changes as the project likes, and images where the person wants any', () => {
    expect(merged({}, { 'ui.diff': 'unified', 'ui.images': 'off' }).values).toMatchObject({
      'ui.diff': { value: 'unified' },
      'ui.images': { value: 'off' },
    });
    expect(merged({ 'ui.images': 'off' }, { 'ui.images': 'auto' }).values['ui.images']?.value).toBe('off');
  });
});
