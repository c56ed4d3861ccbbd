import { describe, expect, it } from 'vitest';
import { checkValue } from './check-value.js';
import { allSettingKeys, findSetting, isSettingGroup, SETTINGS } from './schema.js';

describe('the table of settings', () => {
  it('has one sentence for each and no key twice', () => {
    for (const setting of SETTINGS) expect(setting.sentence).toMatch(/^[A-Z].*\.$/);
    const keys = allSettingKeys();
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has defaults that its own check accepts', () => {
    for (const setting of SETTINGS) {
      if (setting.default !== undefined) expect(checkValue(setting.type, setting.default).ok).toBe(true);
    }
  });

  it('finds a setting by alias and tells groups from settings', () => {
    expect(findSetting('tools.approvalMode')?.key).toBe('approvalMode');
    expect(isSettingGroup('permissions')).toBe(true);
    expect(isSettingGroup('permissions.deny')).toBe(false);
    expect(isSettingGroup('toString')).toBe(false);
  });
});
