import { spawn, type ChildProcess } from 'node:child_process';
import type { ClientApp, CreateTerminalRequest, TerminalExitStatus } from '@agentclientprotocol/sdk';

/** A terminal as an editor keeps it: a real process, and what it printed. */
export interface EditorTerminal {
  readonly request: CreateTerminalRequest;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<TerminalExitStatus>;
  isReleased: boolean;
}

/** The client's side of terminals, for real. */
export class EditorTerminals {
  readonly all: EditorTerminal[] = [];
  readonly #through: readonly string[];

  /** @param through the words of a program that runs the terminals' own, which follow; none: they run by themselves */
  constructor(through: readonly string[] = []) {
    this.#through = through;
  }

  readonly answers = (app: ClientApp): ClientApp =>
    app
      .onRequest('terminal/create', ({ params }) => ({ terminalId: this.#create(params) }))
      .onRequest('terminal/output', ({ params }) => ({
        output: this.#of(params.terminalId).output(),
        truncated: false,
      }))
      .onRequest('terminal/wait_for_exit', ({ params }) => this.#of(params.terminalId).exited)
      .onRequest('terminal/kill', ({ params }) => {
        this.#of(params.terminalId).child.kill();
        return {};
      })
      .onRequest('terminal/release', ({ params }) => {
        const terminal = this.#of(params.terminalId);
        terminal.isReleased = true;
        terminal.child.kill();
        return {};
      });

  #create(request: CreateTerminalRequest): string {
    const { cwd } = request;
    const [command = '', ...args] = [...this.#through, request.command, ...(request.args ?? [])];
    const child = spawn(command, args, { cwd: cwd ?? undefined, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const exited = new Promise<TerminalExitStatus>((resolve) => {
      child.on('error', () => resolve({ exitCode: 127 }));
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    return `terminal-${this.all.push({ request, child, output: () => output, exited, isReleased: false })}`;
  }

  #of(terminalId: string): EditorTerminal {
    const terminal = this.all[Number(terminalId.replace('terminal-', '')) - 1];
    if (terminal === undefined) throw new Error(`no terminal ${terminalId}`);
    return terminal;
  }
}
