import { Worker, type MessagePort } from 'node:worker_threads';

interface ThreadStart {
  /** The thread's program: a file of its own would have to be found from sources, from the package and from a bundle alike. */
  readonly source: string;
  readonly workerData: { readonly port: MessagePort };
  /** Room for what is short-lived, and for the rest. What does not fit ends the thread, not the process. */
  readonly youngMegabytes: number;
  readonly oldMegabytes: number;
}

/** A thread that talks by its port alone, sees no environment, and does not keep the process alive. */
export function startThread({ source, workerData, youngMegabytes, oldMegabytes }: ThreadStart): Worker {
  const worker = new Worker(source, {
    eval: true,
    workerData,
    transferList: [workerData.port],
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes, maxOldGenerationSizeMb: oldMegabytes },
  });
  worker.unref();
  return worker;
}
