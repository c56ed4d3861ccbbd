import { ApprovalMode } from '../policy/approval-mode.js';
import { savePlan, type MakeFile, type PlanPlace, type SavedPlan } from './save-plan.js';
import type { TodoItem } from './todo-list.js';

export interface PlanningOptions {
  /** Somebody can be asked. Default false. */
  readonly canAsk?: boolean;
  /** Absent: approved plans are not kept as files. */
  readonly place?: PlanPlace;
}

/** A plan that the person approved. */
export interface ApprovedPlan {
  readonly text: string;
  /** Where it was saved: absolute. */
  readonly file?: string;
}

/** What a conversation says of lists and plans; asked anew each time, for a rewind takes back what it says. */
export interface ConversationPlans {
  todos(): readonly TodoItem[];
  plan(): ApprovedPlan | undefined;
}

/** What agents intend to do: their task lists, the mode in which they plan, and the plans that were approved. */
export class Planning {
  readonly #options: PlanningOptions;
  readonly #lists = new Map<string, readonly TodoItem[]>();
  readonly #conversations = new Map<string, () => ConversationPlans>();
  #before: ApprovalMode | undefined;

  constructor(options: PlanningOptions = {}) {
    this.#options = options;
  }

  get canAsk(): boolean {
    return this.#options.canAsk === true;
  }

  /** In force before plan mode was switched on; undefined outside it, and in a session that began in it. */
  get modeBefore(): ApprovalMode | undefined {
    return this.#before;
  }

  /** To be told of every change of the mode. */
  noteMode(from: ApprovalMode, to: ApprovalMode): void {
    if (to !== ApprovalMode.PLAN) this.#before = undefined;
    else if (from !== ApprovalMode.PLAN) this.#before = from;
  }

  /** The lists and plans of this agent are what its conversation says, whichever that is by then. */
  follow(agent: string, conversation: () => ConversationPlans): void {
    this.#conversations.set(agent, conversation);
  }

  /** What the conversation with the person says: of the agent that was followed first. */
  get conversation(): ConversationPlans | undefined {
    const [first] = this.#conversations.values();
    return first?.();
  }

  /** Without a name: of whoever makes calls without being an agent. */
  todosOf(agent = ''): readonly TodoItem[] {
    return this.#conversations.get(agent)?.().todos() ?? this.#lists.get(agent) ?? [];
  }

  keepTodos(agent = '', todos: readonly TodoItem[]): void {
    if (todos.length === 0) this.#lists.delete(agent);
    else
      this.#lists.set(
        agent,
        todos.map((todo) => ({ ...todo })),
      );
  }

  /** Undefined where plans are not kept. `makeFile`: where they are kept in the project. */
  async save(text: string, makeFile: MakeFile): Promise<SavedPlan | undefined> {
    const { place } = this.#options;
    return place === undefined ? undefined : savePlan(text, { place, now: new Date(), makeFile });
  }
}
