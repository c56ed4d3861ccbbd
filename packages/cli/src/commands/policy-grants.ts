import type { Grant, Grants } from '@tenon/core';
import type { Options } from '../arguments/parse-arguments.js';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import { wallTime } from '../ui/session-lines.js';
import type { PolicyAnswer } from './policy-answer.js';

/** `tenon policy grants`: what was granted for the project with "always", by number. Those of a session end with it. */
export async function listGrants(grants: Grants, answer: PolicyAnswer): Promise<ExitCode> {
  const list = grants.list();
  if (answer.isJson) {
    await answer.json(list.map((grant, index) => ({ number: index + 1, ...grant })));
  } else if (list.length === 0) {
    await answer.line('Nothing was granted for this project. For another, name its folder with --cwd.');
  } else {
    const width = Math.max(...list.map(({ rule }) => rule.length));
    for (const [index, grant] of list.entries())
      await answer.line(`${String(index + 1).padStart(3)}  ${grant.rule.padEnd(width)}  ${circumstances(grant)}`);
  }
  return ExitCode.OK;
}

/** When and for what it was given, and until when it holds. Untrusted text. */
export function circumstances({ time, call, expires, isOver }: Grant): string {
  const given = time === undefined ? 'by an earlier version, when is not known' : wallTime(time);
  return [given, ...(call === undefined ? [] : [`for ${call}`]), ...endOf(expires, isOver === true)].join(', ');
}

function endOf(expires: string | undefined, isOver: boolean): string[] {
  const day = expires === undefined ? undefined : wallTime(expires).split(' ', 1)[0];
  if (!isOver) return day === undefined ? [] : [`until ${day}`];
  return [day === undefined ? 'holds no longer' : `ended ${day}`];
}

/** `tenon policy revoke RULE|NUMBER|--all`. */
export async function revokeGrants(
  grants: Grants,
  word: string,
  { all }: Options,
  answer: PolicyAnswer,
): Promise<ExitCode> {
  const list = grants.list().map(({ rule }) => rule);
  const byNumber = /^\d+$/.test(word) ? list[Number(word) - 1] : undefined;
  const chosen = all === true ? list : list.filter((rule) => rule === (byNumber ?? word));
  if (chosen.length === 0 && all !== true) {
    const known = list.length === 0 ? 'Nothing was granted for this project.' : '`tenon policy grants` lists them.';
    throw new ExitFailure(ExitCode.USAGE, `There is no grant "${word}". ${known}`);
  }
  await grants.revokeProject(chosen);
  if (answer.isJson) await answer.json({ revoked: chosen });
  else if (chosen.length === 0) await answer.line('There was nothing to revoke.');
  else for (const rule of chosen) await answer.line(`Revoked ${rule}. A session that runs keeps it until it ends.`);
  return ExitCode.OK;
}
