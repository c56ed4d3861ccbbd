import { foreignName, type Effect, type ForeignEffect } from './effect.js';

/** An effect in words for people and for the model. Untrusted text: made safe by whoever shows it. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete': {
      const where = effect.path === effect.requested ? effect.path : `${effect.requested} (which is ${effect.path})`;
      const worst = effect.atWorstOf === undefined ? '' : `what \`${effect.atWorstOf}\` names, at worst `;
      return `${effect.kind} ${worst}${where}${effect.scope === 'tree' ? ' and everything below' : ''}${effect.hasOtherNames === true ? ' and its other names (hard links)' : ''}`;
    }
    case 'run':
      return `run ${effect.command}${effect.unread === undefined ? '' : ` (${effect.unread})`}`;
    case 'fetch':
      return `fetch ${effect.url}`;
    case 'delegate':
      return `delegate to ${effect.agent}`;
    case 'ask':
      return 'ask you';
    case 'secret':
      return `put the secret ${effect.name} into ${effect.into}`;
    case 'foreign':
      return `call ${foreignCall(effect)}`;
    case 'unknown':
      return `something that could not be worked out: ${effect.reason}`;
    default:
      return effect satisfies never;
  }
}

/** Who is called, what that may do, and why it is taken for that. */
export function foreignCall(effect: ForeignEffect): string {
  return `${foreignName(effect)}, which ${DOES[effect.does]}, since ${effect.reason}`;
}

const DOES: Readonly<Record<ForeignEffect['does'], string>> = {
  reads: 'only reads',
  changes: 'changes things',
  destroys: 'may destroy things',
  unknown: 'may do anything',
};
