import { describe, expect, it } from 'vitest';
import { subjectOf, toolNamed } from '../policy/tool-aliases.js';
import { ownToolNames } from '../testing/own-tools.js';
import { createTempConfig } from '../testing/temp-config.js';
import { ToolDisplayNames, ToolNames } from './tool-names.js';

describe('the names that people see', () => {
  const names = Object.entries(ToolDisplayNames).filter(([, name]) => typeof name === 'string');

  it('are taken by rules, for the tool itself or for the class of effects that is called so', async () => {
    const { config, remove } = await createTempConfig();
    const own = ownToolNames(config);
    await remove();
    expect(names.length).toBeGreaterThan(20);
    const classes: string[] = [];
    for (const [key, name] of names) {
      if (!own.includes(String(Reflect.get(ToolNames, key)))) continue;
      const subject = subjectOf(name);
      if (subject.by === 'effect') classes.push(name);
      expect([name, toolNamed(name)]).toEqual([name, Reflect.get(ToolNames, key)]);
    }
    expect(classes).toEqual(['Edit', 'Shell', 'WebFetch', 'Task']);
  });

  it('are told from each other whatever their case', () => {
    expect(new Set(names.map(([, name]) => name.toLowerCase())).size).toBe(names.length);
  });
});
