import { joinSafe, safeText, type AuditStep, type Painter, type Safe, type SessionSummary } from '@tenon/core';
import { safeBlock, safeLine } from './safe-lines.js';

type AuditedCall = Extract<AuditStep, { kind: 'call' }>;

const INDENT = '    ';

/** Day and minute as the clock on the wall says it. */
export function wallTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The sessions of a project, one a line. */
export function sessionLines(sessions: readonly SessionSummary[], paint: Painter): Safe {
  if (sessions.length === 0)
    return safeText`There is no session here yet. For another project, name its folder with --cwd.\n`;
  const lines = sessions.map(({ id, lastAt, title, messages, openBy }) => {
    const count = messages === 1 ? '1 message' : `${messages} messages`;
    const open = openBy === undefined ? safeText`` : safeText` ${paint('yellow', safeText`(open in ${openBy})`)}`;
    return safeText`${paint('cyan', safeLine(id.slice(0, 8)))}  ${paint('dim', safeLine(wallTime(lastAt)))}  ${safeLine(title)} ${paint('dim', safeLine(`(${count})`))}${open}`;
  });
  return joinLines(lines);
}

/** What was done in a session, and who let it. */
export function auditLines(steps: readonly AuditStep[], paint: Painter): Safe {
  if (steps.length === 0) return safeText`Nothing was done in this session.\n`;
  return joinLines(steps.flatMap((step) => stepLines(step, paint)));
}

function stepLines(step: AuditStep, paint: Painter): Safe[] {
  const time = paint('dim', safeLine(wallTime(step.time)));
  const by = byAgent(step, paint);
  switch (step.kind) {
    case 'session':
      return [safeText`${time}  ${paint('bold', safeLine(step.text))}`];
    case 'prompt':
      return [safeText`${time}  ${paint('bold', promptHead(step))} ${safeBlock(step.text)}`];
    case 'change':
      return [safeText`${time}  ${by}${safeLine(step.text)}`];
    case 'warning':
      return [safeText`${time}  ${by}${paint('yellow', safeLine(`warning: ${step.text}`))}`];
    case 'call':
      return [
        safeText`${time}  ${by}${paint('cyan', safeLine(step.toolName))} ${safeLine(step.title)}`,
        ...callLines(step).map((line) => safeLine(INDENT + line)),
      ];
    default:
      return step satisfies never;
  }
}

function byAgent(step: AuditStep, paint: Painter): Safe {
  const agent = step.kind === 'session' ? undefined : step.agent;
  return agent === undefined ? safeText`` : safeText`${paint('dim', safeLine(agent))} `;
}

function promptHead({ agent }: { readonly agent?: string }): Safe {
  return agent === undefined ? safeText`you:` : safeText`to ${safeLine(agent)}:`;
}

function callLines({ effects, verdict, approvals, status, error, durationMs, changed }: AuditedCall): string[] {
  const rule = verdict?.rule === undefined ? '' : ` [${verdict.rule}]`;
  const took = durationMs === undefined ? '' : ` after ${durationMs} ms`;
  return [
    ...effects.map((effect) => `would: ${effect}`),
    ...(verdict === undefined ? [] : [`policy: ${verdict.decision}, ${verdict.reason}${rule}`]),
    ...approvals.map(({ outcome, by, feedback, granted }) => {
      const words = feedback === undefined ? '' : `, "${feedback}"`;
      const rules = granted.length === 0 ? '' : `, granting ${granted.join(' and ')}`;
      return `asked: ${outcome ?? 'not answered'}${by === undefined ? '' : ` by ${by}`}${words}${rules}`;
    }),
    `ended: ${status ?? 'the log does not say'}${took}${error === undefined ? '' : `, ${error}`}`,
    ...changed.map((path) => `changed: ${path}`),
  ];
}

function joinLines(lines: readonly Safe[]): Safe {
  return joinSafe(
    lines.map((line) => safeText`${line}\n`),
    safeText``,
  );
}
