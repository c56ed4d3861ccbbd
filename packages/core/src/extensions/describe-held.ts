import type { HeldTool } from '../mcp/catalog/judge-pins.js';
import { count } from '../util/count.js';

const MOST_NAMED = 8;

/** For the person: tools of one server that are held back from now on. */
export function heldNotice(alias: string, held: readonly HeldTool[]): string {
  const areAllNew = held.every(({ isNew }) => isNew);
  const isLost = areAllNew && held.some(({ isServer }) => isServer);
  const names = held
    .slice(0, MOST_NAMED)
    .map(({ tool, isNew }) => `${tool.serverName}${isNew && !areAllNew ? ' (new)' : ''}`)
    .join(', ');
  const more = held.length > MOST_NAMED ? ' …' : '';
  const [are, them] = held.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const server = `of the server "${alias}"`;
  const what = isLost
    ? `${count(held.length, 'tool')} ${server} ${are} held back until you accept ${them}, since what was known of the server cannot be believed`
    : areAllNew
      ? `${count(held.length, 'new tool')} ${server} ${are} held back until you accept ${them}`
      : `${count(held.length, 'tool')} ${server} changed${held.some(({ isNew }) => isNew) ? ` or ${are} new` : ''} since you let it in and ${are} held back`;
  return `${what}: ${names}${more}. \`tenon mcp accept ${alias}\` shows what is different.`;
}

/** For a model that calls one. */
export function whyHeld(alias: string, { tool, isNew, isServer }: HeldTool): string {
  const why = !isNew
    ? 'is no longer what the user let in'
    : isServer
      ? 'cannot be compared with what the user let in'
      : 'came since the user let the server in';
  return `The tool ${tool.serverName} of the server "${alias}" ${why}, and is held back until they accept it. Go on without it, and tell them.`;
}
