import { count, type LoadedSettings } from '@tenon/core';

type Foreign = LoadedSettings['foreign'];

/** Summarizes in one line with counts what the settings of other agents do here; undefined if there are none. Pure. */
export function foreignLine(foreign: Foreign): string | undefined {
  const rules = foreign.flatMap((each) => each.rules);
  const applied = (['deny', 'ask'] as const).flatMap((list) =>
    counted(rules.filter((each) => each.list === list).length, `${list} rule`),
  );
  const kinds = [...new Set(foreign.flatMap(({ others }) => others.map(({ kind }) => kind)))];
  const unused = kinds.flatMap((kind) => {
    const counts = foreign.flatMap(({ others }) => others.filter((each) => each.kind === kind));
    return counted(
      counts.reduce((sum, each) => sum + each.count, 0),
      kind,
    );
  });
  const unread = foreign.reduce((sum, each) => sum + each.unread.length, 0);
  const broken = foreign.filter(({ problem }) => problem !== undefined).length;
  const said = [
    ...(applied.length > 0 ? [`${applied.join(' and ')} apply here too`] : []),
    ...(unused.length > 0 ? [`not used: ${unused.join(', ')}`] : []),
    ...counted(unread, 'rule').map((text) => `not readable: ${text}`),
    ...counted(broken, 'file').map((text) => `not readable: ${text}`),
  ];
  if (said.length === 0) return undefined;
  const names = foreign.map(({ name }) => name).join(', ');
  return `Settings of other agents (${names}): ${said.join('; ')}.`;
}

/** Returns a line for each part that could not be read. Pure. */
export function unreadLines(foreign: Foreign): readonly string[] {
  return foreign.flatMap(({ name, problem, unread }) => [
    ...(problem === undefined ? [] : [`${name} is not used. ${problem}`]),
    ...unread.map(
      (each) => `${name}: ${each.rule.list} rule ${JSON.stringify(each.rule.text)} is not used. ${each.problem}`,
    ),
  ]);
}

function counted(amount: number, noun: string): string[] {
  return amount === 0 ? [] : [count(amount, noun)];
}
