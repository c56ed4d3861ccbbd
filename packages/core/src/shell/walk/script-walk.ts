import type {
  AndOr,
  ArithmeticFor,
  Case,
  CompoundList,
  For,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Select,
  Statement,
  Word,
} from 'unbash';
import type { ProgramInput } from '../program-facts.js';
import { assignedIn, checkArithmetic } from '../words/arithmetic.js';
import { expandValue, expandWord } from '../words/expand-word.js';
import type { ExpansionPlace } from '../words/expansion-place.js';
import { anythingAfter, either, eitherVariables, withVariable, type ShellState } from '../words/shell-state.js';
import { numberWord, type ShellWord } from '../words/shell-word.js';
import { listCommands } from './list-commands.js';
import { runLoop, type Turn } from './loops.js';
import { always, afterwards, eitherOutcome, eitherWay, NEVER, type Outcome } from './outcome.js';
import type { Position } from './position.js';
import { runRedirections } from './redirections.js';
import { ShellFunctions } from './shell-functions.js';
import { assign, runDeeper, runProgram, runSimpleCommand } from './simple-command.js';
import { outputOf } from './script-output.js';
import { checkTest } from './test-expression.js';
import { WalkRecord } from './walk-record.js';
import type { ReadyCommand, Walk, WalkOptions } from './walk-types.js';
import { WorkBudget, type WorkKind } from './work-budget.js';

/** Calls of functions, and texts, within each other that are followed. */
const MOST_CALLS = 8;

type Followed = PipelineNode | AndOr | CompoundList;

/**
 * Goes through a script as a shell would, in every way that it may go, and writes down what may run and where. Errs only
 * by saying too much: what cannot be followed becomes a reason in the record.
 */
export class ScriptWalk implements Walk {
  readonly options: WalkOptions;
  record = new WalkRecord();
  functions = new ShellFunctions();
  /** Texts that run when the shell ends. */
  readonly #lastWords: { readonly text: string; readonly at: Position; readonly functions: ShellFunctions }[] = [];
  #isMoved = false;
  readonly #budget = new WorkBudget((reason) => this.record.doubt(reason));

  constructor(options: WalkOptions) {
    this.options = options;
  }

  /** A whole script of a shell of its own, with what it runs when it ends. */
  whole(script: ParsedScript, state: ShellState, at: Position): void {
    const after = afterwards(this.script(script, state, at), state);
    // They come after whatever was done, also in shells within this one.
    for (let index = 0; index < this.#lastWords.length; index += 1) {
      const last = this.#lastWords[index];
      if (last === undefined) continue;
      this.functions = last.functions;
      const then = { ...anythingAfter(after), folders: this.#isMoved ? undefined : state.folders };
      this.evaluate(last.text, then, { ...last.at, returns: undefined });
    }
  }

  /** Statements of the shell itself. */
  script(script: ParsedScript | undefined, state: ShellState, at: Position): Outcome {
    if (script === undefined) {
      this.record.doubt('a part that could not be read');
      return always(state);
    }
    if ((script.errors?.length ?? 0) > 0) this.record.doubt('a syntax error');
    return this.#statements(script.commands, state, at);
  }

  text(text: string, state: ShellState, at: Position): void {
    const script = at.calls >= MOST_CALLS ? null : this.options.parse(text);
    if (script === null) {
      this.record.doubt('a text for another shell that could not be read');
      return;
    }
    const kept = this.functions;
    this.functions = new ShellFunctions();
    const inner = { ...at, calls: at.calls + 1, isSure: true, loops: [], outerLoops: [], returns: undefined };
    this.script(script, { ...anythingAfter(state), folders: state.folders }, inner);
    this.functions = kept;
  }

  place(state: ShellState, at: Position): ExpansionPlace {
    return {
      state,
      home: this.options.home,
      listener: {
        script: (script, inner, input) => {
          const within: Position = { ...at, input: input ?? at.input, isSure: false };
          this.script(script, inner, within);
          return outputOf(script, inner, { walk: this, at: within });
        },
        doubt: (reason) => this.record.doubt(reason),
        begin: (word) => this.#mayExpand(word),
        fill: (characters) => this.take('characters', characters),
      },
    };
  }

  #mayExpand(word: Word): boolean {
    if (this.take('characters', word.text.length + 1)) return true;
    listCommands([word], this.record);
    return false;
  }

  take(kind: WorkKind, count?: number): boolean {
    return this.#budget.take(kind, count);
  }

  get isSpent(): boolean {
    return this.#budget.isSpent;
  }

  evaluate(text: string, state: ShellState, at: Position): Outcome {
    const script = at.calls >= MOST_CALLS ? null : this.options.parse(text);
    if (script !== null) return this.script(script, state, { ...at, calls: at.calls + 1, isSure: false });
    this.record.doubt('a text that could not be read');
    return always(anythingAfter(state));
  }

  atEnd(text: string, at: Position): void {
    const { functions } = this;
    const isKnown = this.#lastWords.some((last) => last.text === text && last.functions === functions);
    if (!isKnown) this.#lastWords.push({ text, at, functions });
  }

  move(): void {
    this.#isMoved = true;
  }

  callFunction(
    name: string,
    call: { readonly args: readonly ShellWord[]; readonly input: ProgramInput },
    { state, at }: { readonly state: ShellState; readonly at: Position },
  ): { outcome: Outcome; isCertain: boolean } | undefined {
    const known = this.functions.get(name);
    if (known === undefined) return undefined;
    if (at.calls >= MOST_CALLS || !this.take('steps')) {
      this.record.doubt('functions that call each other');
      return { outcome: always(anythingAfter(state)), isCertain: false };
    }
    let after: ShellState | undefined;
    for (const body of known.bodies) {
      const returns: ShellState[] = [];
      const input = call.input === 'none' ? 'none' : 'open';
      const outerLoops = [...at.outerLoops, ...at.loops];
      const inner = { ...at, input, loops: [], outerLoops, returns, calls: at.calls + 1, isSure: false } as const;
      const { ok, failed } = this.#node(body, { ...state, args: call.args }, inner);
      after = returns.reduce(eitherState, eitherWay(after, eitherWay(ok, failed)));
    }
    if (after === undefined) return { outcome: NEVER, isCertain: known.isCertain };
    // What was local holds its old value again.
    const variables = eitherVariables(state, after);
    return { outcome: always({ folders: after.folders, variables, args: state.args }), isCertain: known.isCertain };
  }

  runStarted(command: ReadyCommand, state: ShellState, at: Position): Outcome {
    return runDeeper(command, state, { walk: this, at });
  }

  runProgram(command: ReadyCommand, state: ShellState, at: Position): Outcome {
    return runProgram(command, state, { walk: this, at });
  }

  #statements(statements: readonly Statement[], state: ShellState, at: Position): Outcome {
    let outcome: Outcome = always(state);
    let now = state;
    for (const [index, { command, background }] of statements.entries()) {
      if (this.isSpent) {
        listCommands(statements.slice(index), this.record);
        return always(anythingAfter(now));
      }
      now = afterwards(outcome, now);
      if (background === true) {
        this.#node(command, now, { ...at, isSure: false });
        outcome = always(now);
      } else outcome = this.#node(command, now, at);
    }
    return outcome;
  }

  #node(node: Followed, state: ShellState, at: Position): Outcome {
    if (this.isSpent || !this.take('steps') || (node.type === 'Command' && !this.take('commands'))) {
      listCommands([node], this.record);
      return always(state);
    }
    switch (node.type) {
      case 'Command':
        return runSimpleCommand(node, state, { walk: this, at });
      case 'Pipeline':
        return this.#pipeline(node, state, at);
      case 'AndOr':
        return this.#andOr(node, state, at);
      case 'CompoundList':
        return this.#list(node, state, at);
      case 'BraceGroup':
        return this.#list(node.body, state, at);
      case 'Subshell':
        this.#list(node.body, state, { ...at, isSure: false });
        return always(state);
      case 'If':
        return this.#if(node, state, at);
      case 'For':
      case 'Select':
        return this.#for(node, state, at);
      case 'ArithmeticFor':
        return this.#arithmeticFor(node, state, at);
      case 'While':
        return runLoop(this, { state, at }, (inner, deeper) => {
          const test = this.#list(node.clause, inner, deeper);
          const tested = afterwards(test, inner);
          return { exit: tested, next: afterwards(this.#list(node.body, tested, deeper), tested) };
        });
      case 'Case':
        return this.#case(node, state, at);
      case 'Function':
        if (node.name.value === 'command_not_found_handle') this.record.doubt('a function that the shell itself calls');
        this.functions.define(node.name.value, node.body, at.isSure);
        return always(state);
      case 'Redirected':
        return this.#redirected(node, state, at);
      case 'Coproc':
        this.#node(node.body, state, { ...at, input: 'open', isSure: false });
        this.record.doubt('a coprocess');
        return always(state);
      case 'TestCommand':
        for (const path of checkTest(node.expression, this.place(state, at)))
          if (state.folders !== undefined || path.word.start.startsWith('/'))
            this.record.file({ path, folders: state.folders });
        return always(state);
      case 'ArithmeticCommand':
        checkArithmetic(node.expression, this.place(state, at));
        return always(this.#counted(assignedIn(node.expression), state, at));
      default:
        return node satisfies never;
    }
  }

  /** Variables that arithmetic sets hold numbers; in every other case it was doubted. */
  #counted(names: readonly string[], state: ShellState, at: Position): ShellState {
    return names.reduce((now, name) => {
      const value = { type: 'Word', text: '0', value: '0', pos: 0, end: 0 } as const;
      const assigned = assign({ name, value, append: false, index: undefined }, now, { walk: this, at });
      return withVariable(assigned, name, [numberWord(name)]);
    }, state);
  }

  #list(list: CompoundList, state: ShellState, at: Position): Outcome {
    return this.#statements(list.commands, state, at);
  }

  #pipeline({ commands, prefixes }: Pipeline, state: ShellState, at: Position): Outcome {
    const apart = { ...at, isSure: false };
    const isNegated = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1;
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) {
      const { ok, failed } = this.#node(only, state, at);
      return isNegated ? { ok: failed, failed: ok } : { ok, failed };
    }
    // Each runs in a shell of its own.
    for (const [index, command] of commands.entries())
      this.#node(command, state, index === 0 ? apart : { ...apart, input: 'open' });
    return always(state);
  }

  #andOr({ commands, operators }: AndOr, state: ShellState, at: Position): Outcome {
    let outcome: Outcome = NEVER;
    for (const [index, command] of commands.entries()) {
      const operator = operators[index - 1];
      const next = { command, operator, state, at: { ...at, isSure: false } };
      outcome = index === 0 ? this.#node(command, state, at) : this.#next(outcome, next);
    }
    return outcome;
  }

  #next(
    { ok, failed }: Outcome,
    next: { command: PipelineNode; operator: string | undefined; state: ShellState; at: Position },
  ): Outcome {
    const { command, operator, state, at } = next;
    if (operator === '&&') {
      const after = this.#node(command, ok ?? state, at);
      return ok === undefined ? { ok, failed } : { ok: after.ok, failed: eitherWay(failed, after.failed) };
    }
    const after = this.#node(command, failed ?? state, at);
    return failed === undefined ? { ok, failed } : { ok: eitherWay(ok, after.ok), failed: after.failed };
  }

  #if({ clause, then, elif, else: otherwise }: If, state: ShellState, position: Position): Outcome {
    const at = { ...position, isSure: false };
    let reached: ShellState | undefined = state;
    let after: Outcome = NEVER;
    for (const [question, body] of [
      [clause, then] as const,
      ...elif.map((each) => [each.clause, each.then] as const),
    ]) {
      const test: Outcome = this.#list(question, reached ?? state, at);
      const done = this.#list(body, test.ok ?? reached ?? state, at);
      if (reached !== undefined && test.ok !== undefined) after = eitherOutcome(after, done);
      reached = reached === undefined ? undefined : test.failed;
    }
    if (otherwise !== undefined) {
      const done = this.#list(otherwise, reached ?? state, at);
      return reached === undefined ? after : eitherOutcome(after, done);
    }
    return { ok: eitherWay(after.ok, reached), failed: after.failed };
  }

  #for({ type, name, wordlist, body }: For | Select, state: ShellState, at: Position): Outcome {
    const place = this.place(state, at);
    // Without a list it goes through the arguments.
    const values = wordlist === undefined ? state.args : wordlist.flatMap((word) => expandWord(word, place));
    this.record.wildcards(values ?? [], state.folders);
    const isKnown = type === 'For' && values?.every(({ text }) => text !== undefined) === true;
    if (isKnown && values.length === 0) this.#list(body, state, { ...at, isSure: false });
    if (isKnown && values.length === 0) return always(state);
    const word = { type: 'Word', text: '', value: '', pos: 0, end: 0 } as const;
    return runLoop(this, { state, at }, (inner, deeper) => {
      const checked = assign({ name: name.value, value: word, append: false, index: undefined }, inner, {
        walk: this,
        at,
      });
      const answered = type === 'Select' ? withVariable(checked, 'REPLY', undefined) : checked;
      const named = withVariable(answered, name.value, isKnown ? values : undefined);
      return { exit: inner, next: afterwards(this.#list(body, named, deeper), named) };
    });
  }

  #arithmeticFor(node: ArithmeticFor, state: ShellState, at: Position): Outcome {
    const run = (part: typeof node.test, now: ShellState): ShellState => {
      if (part !== undefined) checkArithmetic(part, this.place(now, at));
      return this.#counted(assignedIn(part), now, at);
    };
    const turn: Turn = (inner, deeper) => {
      const tested = run(node.test, inner);
      const after = afterwards(this.#list(node.body, tested, deeper), tested);
      return { exit: tested, next: run(node.update, either(after, tested)) };
    };
    return runLoop(this, { state: run(node.initialize, state), at }, turn);
  }

  #case({ word, items }: Case, state: ShellState, position: Position): Outcome {
    const at = { ...position, isSure: false };
    const place = this.place(state, at);
    expandValue(word, place);
    let after = state;
    for (const { pattern, body } of items) {
      for (const each of pattern) expandValue(each, place);
      // With `;&` it goes on from the one before.
      after = either(after, afterwards(this.#list(body, after, at), after));
    }
    return always(after);
  }

  #redirected({ command, redirects }: Redirected, state: ShellState, at: Position): Outcome {
    const input = runRedirections(redirects, state, { walk: this, at });
    // What one of its commands reads is gone for the next.
    const inner = input === undefined ? at : { ...at, input: 'open' as const };
    const { ok, failed } = this.#node(command, state, { ...inner, isSure: false });
    // Where a file cannot be opened, nothing runs.
    return { ok, failed: eitherWay(failed, state) };
  }
}

function eitherState(a: ShellState | undefined, b: ShellState): ShellState | undefined {
  return eitherWay(a, b);
}
