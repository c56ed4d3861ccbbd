import type { ToolResultDisplay, TodoItem } from '../tools/tool-result.js';
import { Kind } from '../tools/tools.js';
import type { CallEvent } from '../scheduler/call-events.js';
import type { ApprovedPlan } from '../planning/planning.js';
import { cut } from './compaction.js';
import type { AgentEvent } from './events.js';
import { readAnswered, readPlan } from './planning-facts.js';

type CallStart = Extract<CallEvent, { type: 'tool-call-start' }>;
type CallEnd = Extract<CallEvent, { type: 'tool-call-end' }>;

/** What the events said, in their order; a rewind takes off what came after. */
type Fact =
  | { readonly type: 'words'; readonly id: string | undefined; readonly text: string }
  | { readonly type: 'changed'; readonly paths: readonly string[] }
  | { readonly type: 'read'; readonly paths: readonly string[] }
  | { readonly type: 'failed'; readonly what: string }
  | { readonly type: 'skill'; readonly name: string }
  | { readonly type: 'todos'; readonly todos: readonly TodoItem[] }
  | { readonly type: 'plan'; readonly plan: ApprovedPlan };

const REASON_CHARS = 200;

/** What is known of a conversation without asking anybody: kept from its events, live or of a log. */
export class ConversationFacts {
  readonly #calls = new Map<string, { readonly kind: Kind; readonly paths: readonly string[] }>();
  #facts: Fact[] = [];

  note(event: AgentEvent): void {
    if (event.type === 'user-message') this.#facts.push({ type: 'words', id: event.id, text: event.text });
    else if (event.type === 'tool-call-start')
      this.#calls.set(event.callId, { kind: event.kind, paths: pathsOf(event) });
    else if (event.type === 'tool-call-end') this.#facts.push(...this.#factsOf(event));
    else if (event.type === 'job-end' && event.changes !== undefined)
      this.#facts.push({ type: 'changed', paths: changedPaths(event.changes) });
    else if (event.type === 'rewind' && event.conversation) this.#forgetFrom(event.to);
  }

  kindOf(callId: string): Kind | undefined {
    return this.#calls.get(callId)?.kind;
  }

  /** The one file that a call read; undefined for other calls. */
  fileOf(callId: string): string | undefined {
    const call = this.#calls.get(callId);
    return call?.kind === Kind.Read && call.paths.length === 1 ? call.paths[0] : undefined;
  }

  /** What the user said, in order. */
  words(): readonly string[] {
    return this.#facts.flatMap((fact) => (fact.type === 'words' ? [fact.text] : []));
  }

  /** Absolute paths, each once; those that were touched last come last. */
  changedFiles(): readonly string[] {
    return this.#paths('changed');
  }

  readFiles(): readonly string[] {
    const changed = new Set(this.changedFiles());
    return this.#paths('read').filter((path) => !changed.has(path));
  }

  /** Names of skills that were called, those that were called last come last. */
  skills(): readonly string[] {
    const names = this.#facts.flatMap((fact) => (fact.type === 'skill' ? [fact.name] : []));
    return names.filter((name, index) => names.lastIndexOf(name) === index);
  }

  /** Calls that failed, a line each. */
  failures(): readonly string[] {
    return this.#facts.flatMap((fact) => (fact.type === 'failed' ? [fact.what] : []));
  }

  /** The task list as it was written last. */
  todos(): readonly TodoItem[] {
    const last = this.#facts.findLast((fact) => fact.type === 'todos');
    return last?.type === 'todos' ? last.todos : [];
  }

  /** The plan that the person approved last. */
  plan(): ApprovedPlan | undefined {
    const last = this.#facts.findLast((fact) => fact.type === 'plan');
    return last?.type === 'plan' ? last.plan : undefined;
  }

  #factsOf(end: CallEnd): Fact[] {
    const call = this.#calls.get(end.callId);
    const paths = call?.paths ?? [];
    if (end.status === 'error' || end.status === 'denied') {
      const reason = cut((end.error?.message ?? end.status).split('\n', 1).join(''), REASON_CHARS);
      return [{ type: 'failed', what: `${end.toolName}: ${cut(end.title, REASON_CHARS)}: ${reason}` }];
    }
    if (end.status !== 'success') return [];
    const todos = todosOf(end.display);
    const skill = skillIn(end.data);
    const plan = readPlan(end);
    const words = readAnswered(end);
    const changed = [...(call?.kind === Kind.Edit ? paths : []), ...changedPaths(changesIn(end.data))];
    return [
      ...(todos === undefined ? [] : [{ type: 'todos', todos } as const]),
      ...(plan === undefined ? [] : [{ type: 'plan', plan } as const]),
      ...(words === undefined ? [] : [{ type: 'words', id: undefined, text: words } as const]),
      ...(skill === undefined ? [] : [{ type: 'skill', name: skill } as const]),
      ...(changed.length === 0 ? [] : [{ type: 'changed', paths: changed } as const]),
      ...(call?.kind === Kind.Read && paths.length > 0 ? [{ type: 'read', paths } as const] : []),
    ];
  }

  #paths(type: 'changed' | 'read'): readonly string[] {
    const paths = new Set<string>();
    for (const fact of this.#facts) {
      if (fact.type !== type) continue;
      for (const path of fact.paths) {
        paths.delete(path);
        paths.add(path);
      }
    }
    return [...paths];
  }

  #forgetFrom(id: string): void {
    const index = this.#facts.findIndex((fact) => fact.type === 'words' && fact.id === id);
    if (index !== -1) this.#facts = this.#facts.slice(0, index);
  }
}

function pathsOf({ locations }: CallStart): readonly string[] {
  return [...new Set(locations.map(({ path }) => path))];
}

function todosOf(display: ToolResultDisplay): readonly TodoItem[] | undefined {
  return typeof display === 'object' && 'todos' in display ? display.todos : undefined;
}

/** What a call of a skill says in its `data`, which may come from a log. */
function skillIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('skill' in data)) return undefined;
  return typeof data.skill === 'string' ? cut(data.skill, 80) : undefined;
}

interface Changes {
  readonly created?: unknown;
  readonly modified?: unknown;
  readonly deleted?: unknown;
}

/** What a command says in its `data`, which may come from a log. */
function changesIn(data: unknown): Changes {
  if (typeof data !== 'object' || data === null || !('changes' in data)) return {};
  const { changes } = data;
  return typeof changes === 'object' && changes !== null ? changes : {};
}

function changedPaths({ created, modified, deleted }: Changes): readonly string[] {
  return [created, modified, deleted].flatMap((paths) =>
    Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [],
  );
}
