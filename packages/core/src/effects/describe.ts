import type { Effect } from './effect.js';

/** An effect in words for people and for the model. Untrusted text: made safe by whoever shows it. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete': {
      const where = effect.path === effect.requested ? effect.path : `${effect.requested} (which is ${effect.path})`;
      return `${effect.kind} ${where}${effect.scope === 'tree' ? ' and everything below' : ''}`;
    }
    case 'run':
      return `run ${effect.command}`;
    case 'fetch':
      return `fetch ${effect.url}`;
    case 'delegate':
      return `delegate to ${effect.agent}`;
    case 'ask':
      return 'ask you';
    case 'unknown':
      return `something that could not be worked out: ${effect.reason}`;
    default:
      return effect satisfies never;
  }
}
