import {
  errorMessage,
  Failure,
  findSessionFile,
  isLooserMode,
  loadAgentLogs,
  loadSessionLog,
  recordedCalls,
  simulateSession,
  type ApprovalMode,
  type ExaminationServices,
  type LoggedEvent,
  type SimulatedCall,
} from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';
import type { PolicyAnswer } from './policy-answer.js';

export interface SimulationRequest {
  readonly services: ExaminationServices;
  readonly place: { readonly root: string; readonly tenonHome: string; readonly cwd: string };
  /** Undefined: the mode in which the session began. */
  readonly mode: ApprovalMode | undefined;
  /** Above it no session begins any more. */
  readonly ceiling: ApprovalMode | undefined;
  readonly answer: PolicyAnswer;
}

/** `tenon policy simulate SESSION`: which decisions of a session would be others under the rules of now. */
export async function simulate(
  session: string,
  { services, place, mode, ceiling, answer }: SimulationRequest,
): Promise<ExitCode> {
  const { file, events } = readSession(session, place);
  const recorded = mode ?? modeOf(events) ?? services.context.mode;
  const begun = ceiling !== undefined && isLooserMode(recorded, ceiling) ? ceiling : recorded;
  const context = { ...services.context, mode: begun };
  const simulation = await simulateSession(
    recordedCalls(events, loadAgentLogs(file, events)),
    { ...services, context },
    new AbortController().signal,
  );
  const { calls, same, changed, notJudged } = simulation;
  if (answer.isJson) {
    await answer.json({ file, mode: begun, calls: calls.length, same, changed, notJudged });
    return ExitCode.OK;
  }
  for (const call of changed) for (const line of changedLines(call)) await answer.line(line);
  for (const { problem = '', ...call } of notJudged)
    await answer.line(`could not be judged: ${calledBy(call)}: ${problem}`);
  const counts = `${changed.length} would change, ${same} would not, ${notJudged.length} could not be judged`;
  await answer.line(`${calls.length} calls in ${begun} mode: ${counts}`);
  return ExitCode.OK;
}

function calledBy({ agent, toolName, title }: Pick<SimulatedCall, 'agent' | 'toolName' | 'title'>): string {
  return `${agent === undefined ? '' : `${agent} `}${toolName} ${title}`;
}

function changedLines({ before, after, ...call }: SimulatedCall): string[] {
  return [
    `${before?.decision ?? '?'} → ${after?.decision ?? '?'}: ${calledBy(call)}`,
    `   then: ${before?.reason ?? ''}`,
    `   now:  ${after?.reason ?? ''}`,
  ];
}

function readSession(
  session: string,
  place: SimulationRequest['place'],
): { readonly file: string; readonly events: readonly LoggedEvent[] } {
  try {
    const file = findSessionFile(session, place);
    const { events } = loadSessionLog(file);
    if (events.length === 0) throw new Failure('no_session', `${file} is not the log of a session.`);
    return { file, events };
  } catch (thrown) {
    throw new ExitFailure(ExitCode.USAGE, errorMessage(thrown), { cause: thrown });
  }
}

function modeOf(events: readonly LoggedEvent[]): ApprovalMode | undefined {
  const start = events.find(({ event }) => event.type === 'session-start')?.event;
  return start?.type === 'session-start' ? start.approvalMode : undefined;
}
