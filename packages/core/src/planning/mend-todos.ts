import { isObject } from '../util/is-object.js';
import { TodoStatus } from './todo-list.js';

/** What other lists of tasks call the states; each has one meaning only. Without white space, `-` and `_`. */
const STATES: ReadonlyMap<string, TodoStatus> = new Map([
  ...['pending', 'todo', 'open', 'notstarted', 'new', 'queued', 'planned'].map(
    (word) => [word, TodoStatus.PENDING] as const,
  ),
  ...['inprogress', 'doing', 'active', 'started', 'current', 'ongoing', 'working', 'wip'].map(
    (word) => [word, TodoStatus.IN_PROGRESS] as const,
  ),
  ...['completed', 'complete', 'done', 'finished', 'closed'].map((word) => [word, TodoStatus.COMPLETED] as const),
]);
/** Names under which the words of a task come. */
const WORDS = ['task', 'description', 'title', 'text', 'step', 'name', 'subject'];
/** What other lists have beside; nothing is done with it here. */
const IDLE = ['activeForm', 'active_form', 'priority'];

export interface MendedTodos {
  readonly value: Record<string, unknown>;
  /** A sentence for everything that was read in another way. */
  readonly repairs: readonly string[];
}

/** Arguments of a list of tasks with the slips undone that have one reading only. Pure; what is not understood stays. */
export function mendTodos(args: Readonly<Record<string, unknown>>): MendedTodos {
  const { todos } = args;
  if (!Array.isArray(todos)) return { value: { ...args }, repairs: [] };
  const repairs = new Set<string>();
  const mended = todos.map((todo: unknown) => (isObject(todo) ? mendTodo(todo, repairs) : todo));
  return { value: { ...args, todos: mended }, repairs: [...repairs] };
}

function mendTodo(todo: Readonly<Record<string, unknown>>, repairs: Set<string>): Record<string, unknown> {
  const mended = withContent({ ...todo }, repairs);
  const { status } = mended;
  const meant = typeof status === 'string' ? STATES.get(status.replaceAll(/[\s_-]+/g, '').toLowerCase()) : undefined;
  if (meant !== undefined && meant !== status) {
    repairs.add(`The status ${JSON.stringify(status)} was read as "${meant}".`);
    mended['status'] = meant;
  }
  for (const name of IDLE) {
    if (!Object.hasOwn(mended, name)) continue;
    repairs.add(`\`${name}\` was left out: a task has id, content and status.`);
    delete mended[name];
  }
  return mended;
}

function withContent(todo: Record<string, unknown>, repairs: Set<string>): Record<string, unknown> {
  if (Object.hasOwn(todo, 'content')) return todo;
  const [name, ...others] = WORDS.filter((word) => typeof todo[word] === 'string');
  if (name === undefined || others.length > 0) return todo;
  const { [name]: content, ...rest } = todo;
  repairs.add(`\`${name}\` was read as \`content\`.`);
  return { ...rest, content };
}
