import { isObject } from '../../util/is-object.js';
import type { ApprovalQuestion, ApprovalReply, QuestionField } from './served-tools.js';

/** The longest question that is sent: clients show it in a dialog. */
const LONGEST_QUESTION = 12_000;

const ONCE = 'allow once';
const SESSION = 'allow for this session';
const DECLINE = 'decline';

/** `elicitation/create`. */
export interface ApprovalForm {
  message: string;
  requestedSchema: {
    type: 'object';
    properties: Record<string, QuestionField>;
    required?: string[];
  };
}

/** The question as a form. `isSession`: an answer can hold for longer than the call. Pure. */
export function approvalForm(question: ApprovalQuestion, isSession: boolean): ApprovalForm {
  const { fields } = question;
  if (fields !== undefined)
    return { message: shortened(question.text), requestedSchema: { type: 'object', properties: { ...fields } } };
  const choices = [ONCE, ...(isSession && question.canLast ? [SESSION] : []), DECLINE];
  return {
    message: shortened(question.text),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          description: 'Whether the call may run. It does not run without an answer.',
          enum: choices,
        },
      },
      required: ['decision'],
    },
  };
}

/** What a client answered; whatever is not a clear yes is a no. Pure. */
export function approvalReply(
  action: string,
  content: unknown,
): Extract<ApprovalReply, 'once' | 'session' | 'no' | 'dismissed'> {
  if (action === 'cancel') return 'dismissed';
  if (action !== 'accept' || typeof content !== 'object' || content === null) return 'no';
  const decision: unknown = 'decision' in content ? content.decision : undefined;
  if (decision === ONCE) return 'once';
  return decision === SESSION ? 'session' : 'no';
}

/** What a client answered to fields; none of them where the person said no. Pure. */
export function fieldsReply(
  action: string,
  content: unknown,
): Extract<ApprovalReply, 'no' | 'dismissed' | { readonly content: object }> {
  if (action === 'cancel') return 'dismissed';
  return action === 'accept' ? { content: isObject(content) ? content : {} } : 'no';
}

/** Both ends: what is done, and why it is asked. */
function shortened(text: string): string {
  if (text.length <= LONGEST_QUESTION) return text;
  const half = Math.floor(LONGEST_QUESTION / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} more characters are not shown …]\n${text.slice(-half)}`;
}
