import path from 'node:path';
import { count } from '@tenon/core';
import { checkToolFile, type CheckedFile, type CheckedTool } from '@tenon/core/testing';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { jsonText } from '../ui/json-line.js';
import { safeBlock } from '../ui/safe-lines.js';

/** `tenon tools check FILE [--json]`: runs the tools of a file through the conformance kit, in folders that are gone afterwards. */
export async function toolsCheckCommand(
  { out, cwd }: Pick<Surroundings, 'out' | 'cwd'>,
  file: string | undefined,
  json: boolean,
): Promise<ExitCode> {
  if (file === undefined) throw new ExitFailure(ExitCode.USAGE, 'tenon tools check takes the file of a tool.');
  const checked = await checkToolFile(path.resolve(cwd ?? '/', file));
  await (json ? out.writeData(jsonText(checked)) : out.write(safeBlock(textOf(checked))));
  return isSound(checked) ? ExitCode.OK : ExitCode.UNEXPECTED;
}

function isSound({ tools, problems }: CheckedFile): boolean {
  return problems.length === 0 && tools.every(({ cases }) => cases.every((each) => each.problems.length === 0));
}

function textOf({ file, tools, problems }: CheckedFile): string {
  return [...problems.map((problem) => `${file}: ${problem}\n`), ...tools.map(toolText)].join('\n');
}

function toolText({ name, cases }: CheckedTool): string {
  const lines = cases.flatMap((each) => [
    `  ${each.problems.length === 0 ? 'ok  ' : 'FAIL'} ${each.name}`,
    ...each.problems.map((problem) => `         ${problem}`),
  ]);
  const failed = cases.filter((each) => each.problems.length > 0).length;
  const end =
    failed === 0
      ? `All ${cases.length} cases hold.`
      : `${count(failed, 'case')} of ${cases.length} ${failed === 1 ? 'does' : 'do'} not hold.`;
  return `${[name, ...lines, `  ${end}`].join('\n')}\n`;
}
