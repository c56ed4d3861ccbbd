export const TodoStatus = { PENDING: 'pending', IN_PROGRESS: 'in_progress', COMPLETED: 'completed' } as const;
export type TodoStatus = (typeof TodoStatus)[keyof typeof TodoStatus];

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
}

/** An item as a model writes it: it may leave the id to the list. */
export interface WrittenTodo extends Omit<TodoItem, 'id'> {
  readonly id?: string;
}

const NAME_CHARS = 80;
const MOST_NAMES = 5;

/**
 * The list with an id for each item. One without an id is the item of the same words in the list before, where that is there
 * and no other is it; else it gets a number that neither list has. Pure.
 */
export function withIds(written: readonly WrittenTodo[], before: readonly TodoItem[]): readonly TodoItem[] {
  const given = new Set(written.flatMap(({ id }) => id ?? []));
  const taken = new Set([...given, ...before.map(({ id }) => id)]);
  const known = before.filter(({ id }) => !given.has(id));
  let number = 0;
  return written.map(({ id, content, status }) => {
    if (id !== undefined) return { id, content, status };
    const at = known.findIndex((item) => sameWords(item.content, content));
    const [same] = at === -1 ? [] : known.splice(at, 1);
    if (same !== undefined) return { id: same.id, content, status };
    do number += 1;
    while (taken.has(String(number)));
    return { id: String(number), content, status };
  });
}

/** What the model is told of a list that was written, and of what became of the one before. Pure. */
export function todoReport(before: readonly TodoItem[], after: readonly TodoItem[]): string {
  const gone = before.filter(({ id }) => !after.some((item) => item.id === id));
  const dropped = sentence('Taken off without being done', gone.filter(isOpen));
  if (after.length === 0) return ['The task list is now empty.', ...dropped].join(' ');
  const done = after.filter((item) => !isOpen(item));
  const statusBefore = new Map(before.map(({ id, status }) => [id, status]));
  const newlyDone = done.filter(({ id }) => statusBefore.get(id) !== TodoStatus.COMPLETED);
  const reopened = after.filter((item) => isOpen(item) && statusBefore.get(item.id) === TodoStatus.COMPLETED);
  const added = after.filter((item) => isOpen(item) && !statusBefore.has(item.id));
  return [
    `The task list is saved: ${done.length} of ${after.length} done${standing(after)}.`,
    ...sentence('Done since', newlyDone),
    ...(before.length === 0 ? [] : sentence('Added', added)),
    ...sentence('Open again', reopened),
    ...dropped,
  ].join(' ');
}

/** The ids of items that were written without, for whoever writes the list the next time. Undefined where there are none. */
export function givenIds(written: readonly WrittenTodo[], list: readonly TodoItem[]): string | undefined {
  const ids = list.filter((_, index) => written[index]?.id === undefined).map(({ id }) => JSON.stringify(id));
  return ids.length === 0 ? undefined : `The tasks without an id got ${ids.join(', ')}, in their order.`;
}

function standing(items: readonly TodoItem[]): string {
  const current = items.find(({ status }) => status === TodoStatus.IN_PROGRESS);
  if (current !== undefined) return `; now: ${named(current)}`;
  const next = items.find(isOpen);
  return next === undefined ? '' : `; nothing is in progress, next: ${named(next)}`;
}

function sentence(head: string, items: readonly TodoItem[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length - MOST_NAMES;
  return [`${head}: ${items.slice(0, MOST_NAMES).map(named).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

function named({ content }: TodoItem): string {
  const [line = ''] = content.trim().split('\n', 1);
  if (line.length <= NAME_CHARS) return line;
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= NAME_CHARS ? line : `${characters.slice(0, NAME_CHARS - 1).join('')}…`;
}

function isOpen({ status }: TodoItem): boolean {
  return status !== TodoStatus.COMPLETED;
}

function sameWords(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
